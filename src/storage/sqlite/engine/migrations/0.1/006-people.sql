-- Who may log in to a business, and what lets them in. Addresses are in lower case; of passwords, tokens and links only hashes are kept.
CREATE TABLE member (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  password TEXT NOT NULL,
  last_seen_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (business_id, id)
) STRICT;

CREATE TABLE session (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (business_id, id)
) STRICT;
CREATE INDEX session_by_member ON session (business_id, member_id);

CREATE TABLE invitation (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (business_id, id),
  UNIQUE (business_id, email)
) STRICT;

-- Links that make the first owner of a business; all of them go with the first that is used.
CREATE TABLE claim (
  business_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (business_id, hash)
) STRICT, WITHOUT ROWID;
