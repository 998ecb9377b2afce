-- Failed log-ins, counted by account and by network, and the networks from which an account logged in lately. Names are hashes;
-- business_id is always '', since a log-in belongs to no business before it has succeeded.
CREATE TABLE log_in_throttle (
  business_id TEXT NOT NULL,
  name TEXT NOT NULL,
  failures INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (business_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX log_in_throttle_by_expiry ON log_in_throttle (business_id, expires_at);
