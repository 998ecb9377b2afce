-- The values of properties that tiles must have, as JSON by key; empty without such a filter.
ALTER TABLE subscription ADD COLUMN properties TEXT NOT NULL DEFAULT '{}';

-- The properties of the tile, by which subscriptions are chosen: as JSON until the event has its position, null without any.
ALTER TABLE event ADD COLUMN properties TEXT;

-- Finds what waits for its next attempt to a receiver, beside what waits for its first one.
CREATE INDEX delivery_retrying_by_receiver ON delivery (business_id, subscription_id) WHERE status = 'retrying';
