-- Who may log in to a business, and what lets them in. Addresses are in lower case; of passwords, tokens and links only hashes are kept.
CREATE TABLE member (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  password TEXT NOT NULL,
  last_seen_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (business_id, id)
);
-- That no two businesses have a member of one address is seen to under a lock of the address: keys begin with the business.
CREATE INDEX member_by_email ON member (email);

CREATE TABLE session (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  agent TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (business_id, id)
);
CREATE INDEX session_by_hash ON session (hash);
CREATE INDEX session_by_member ON session (business_id, member_id);

CREATE TABLE invitation (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  hash TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (business_id, id),
  UNIQUE (business_id, email)
);
CREATE INDEX invitation_by_hash ON invitation (hash);

-- Links that make the first owner of a business; all of them go with the first that is used.
CREATE TABLE claim (
  business_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (business_id, hash)
);
CREATE INDEX claim_by_hash ON claim (hash);
