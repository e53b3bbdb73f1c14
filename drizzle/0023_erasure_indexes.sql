CREATE INDEX CONCURRENTLY "mails_recipient_idx" ON "mails" USING btree ("recipient") WHERE sale_id is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "sales_unpaid_person_idx" ON "sales" USING btree ("created_at") WHERE completed_at is null and emptied_at is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "sales_emptied_idx" ON "sales" USING btree ("emptied_as","seller_id") WHERE emptied_as is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "sellers_closed_idx" ON "sellers" USING btree ("closed_at") WHERE closed_at is not null and emptied_at is null;