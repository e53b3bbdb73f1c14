CREATE TABLE "held_forms" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"change" text NOT NULL,
	"address" text NOT NULL,
	"fields_sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mails" ALTER COLUMN "payload" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "facts" jsonb;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "template_failed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "press_key" text;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "client_key" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "scopes" text[] DEFAULT '{"read","sales","settings"}' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "authenticated_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "held_forms" ADD CONSTRAINT "held_forms_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "held_forms_token_hash_key" ON "held_forms" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "held_forms_seller_idx" ON "held_forms" USING btree ("seller_id","created_at");--> statement-breakpoint
CREATE INDEX "held_forms_expires_idx" ON "held_forms" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mails_unpaid_idx" ON "mails" USING btree ("recipient","created_at") WHERE kind in ('pix', 'reminder');--> statement-breakpoint
CREATE INDEX "sales_client_idx" ON "sales" USING btree ("client_key","created_at") WHERE client_key is not null;--> statement-breakpoint
CREATE INDEX "throttles_prefix_idx" ON "throttles" USING btree ("key" varchar_pattern_ops);--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_facts_or_payload" CHECK (facts is not null or payload is not null);