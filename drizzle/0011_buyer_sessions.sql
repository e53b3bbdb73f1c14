CREATE TABLE "buyer_sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"link_hash" text NOT NULL,
	"token_hash" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "email_corrected_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "buyer_sessions_link_hash_key" ON "buyer_sessions" USING btree ("link_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "buyer_sessions_token_hash_key" ON "buyer_sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "buyer_sessions_expires_idx" ON "buyer_sessions" USING btree ("expires_at");