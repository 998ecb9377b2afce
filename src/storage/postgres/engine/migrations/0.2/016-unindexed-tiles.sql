-- Finds the blocks whose postings wait to be erased.
CREATE INDEX posting_block_dropped ON posting_block (business_id, board_number, block) WHERE live = -1;
