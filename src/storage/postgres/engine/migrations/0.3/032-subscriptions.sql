-- Webhooks that keys and owners register. `zone_ids`, `types` and `tags` are lists of JSON, empty without such a filter. `key_id` is the key
-- that made it; null for an owner. `failures` counts failed attempts in a row, since `failing_since`.
CREATE TABLE subscription (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  board_id TEXT,
  zone_ids TEXT NOT NULL,
  types TEXT NOT NULL,
  tags TEXT NOT NULL,
  include_tile BOOLEAN NOT NULL,
  retries BOOLEAN NOT NULL,
  description TEXT,
  status TEXT NOT NULL,
  paused_reason TEXT,
  key_id TEXT,
  created_by TEXT NOT NULL,
  sealed_secret TEXT NOT NULL,
  sealed_previous TEXT,
  previous_until BIGINT,
  failures BIGINT NOT NULL DEFAULT 0,
  failing_since BIGINT,
  last_delivery_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (business_id, id)
);

ALTER TABLE webhook ADD COLUMN retries BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE api_key ADD COLUMN webhooks BOOLEAN NOT NULL DEFAULT FALSE;

-- `subscription_id` is empty for the webhook of the business. `attempt` counts the attempts that began, and `attempts` lists those that
-- ended, as JSON. A delivery is `retrying` until `retry_at`.
ALTER TABLE delivery ADD COLUMN subscription_id TEXT NOT NULL DEFAULT '';
ALTER TABLE delivery ADD COLUMN attempt BIGINT NOT NULL DEFAULT 0;
ALTER TABLE delivery ADD COLUMN max_attempts BIGINT NOT NULL DEFAULT 1;
ALTER TABLE delivery ADD COLUMN attempts TEXT;
ALTER TABLE delivery ADD COLUMN retry_at BIGINT;
DROP INDEX delivery_sending;
DROP INDEX delivery_waiting;
CREATE INDEX delivery_sending ON delivery (business_id, subscription_id, sending_until) WHERE status = 'sending';
CREATE INDEX delivery_waiting ON delivery (business_id, subscription_id, created_at, number) WHERE status = 'pending';
CREATE INDEX delivery_retrying ON delivery (retry_at, business_id, id) WHERE status = 'retrying';
CREATE INDEX delivery_failed ON delivery (business_id, subscription_id, created_at, number) WHERE status = 'failed';
CREATE INDEX delivery_by_receiver ON delivery (business_id, subscription_id, created_at, number);
