ALTER TABLE "sales" ADD COLUMN "press_key" text;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "client_key" text;--> statement-breakpoint
CREATE INDEX "mails_unpaid_idx" ON "mails" USING btree ("recipient","created_at") WHERE kind in ('pix', 'reminder');--> statement-breakpoint
CREATE INDEX "sales_client_idx" ON "sales" USING btree ("client_key","created_at") WHERE client_key is not null;