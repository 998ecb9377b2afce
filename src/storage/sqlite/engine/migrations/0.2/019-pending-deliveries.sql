-- Finds the pending deliveries of each business without reading those of the others.
CREATE INDEX delivery_pending ON delivery (business_id, created_at) WHERE status = 'pending';
