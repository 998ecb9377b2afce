-- Failed log-ins, counted by account and by network, and the networks from which an account logged in lately. Names are hashes;
-- business_id is always '', since a log-in belongs to no business before it has succeeded.
CREATE TABLE log_in_throttle (
  business_id TEXT NOT NULL,
  name TEXT NOT NULL,
  failures BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  next_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (business_id, name)
);
CREATE INDEX log_in_throttle_by_expiry ON log_in_throttle (business_id, expires_at);
