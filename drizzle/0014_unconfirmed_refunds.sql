CREATE INDEX "charges_refund_pending_idx" ON "charges" USING btree ("refund_requested_at") WHERE refund_status = 'pending';--> statement-breakpoint
-- Until now a refund that was never confirmed ended like one that was refused.
UPDATE "charges" SET "refund_status" = 'unconfirmed' WHERE "refund_status" = 'refused' AND "refund_failure" LIKE 'O provedor não confirmou o reembolso%';