CREATE TABLE "gateway_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"api_key_sealed" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "gateway_key_id" uuid;--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "gateway_keys" ADD CONSTRAINT "gateway_keys_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gateway_keys_seller_idx" ON "gateway_keys" USING btree ("seller_id","provider");--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD CONSTRAINT "gateway_accounts_key_id_gateway_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."gateway_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gateway_accounts_key_idx" ON "gateway_accounts" USING btree ("key_id");--> statement-breakpoint
INSERT INTO "gateway_keys" ("seller_id", "provider", "api_key_sealed") SELECT "seller_id", "provider", "api_key_sealed" FROM "gateway_accounts" WHERE "api_key_sealed" IS NOT NULL;--> statement-breakpoint
UPDATE "gateway_accounts" a SET "key_id" = k."id" FROM "gateway_keys" k WHERE k."seller_id" = a."seller_id" AND k."provider" = a."provider";--> statement-breakpoint
-- Nobody asks about older ones: a PIX is given back within 90 days.
UPDATE "charges" c SET "gateway_key_id" = a."key_id" FROM "sales" s, "gateway_accounts" a WHERE s."id" = c."sale_id" AND a."seller_id" = s."seller_id" AND a."provider" = c."provider" AND c."created_at" > now() - interval '180 days';--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_gateway_key_id_gateway_keys_id_fk" FOREIGN KEY ("gateway_key_id") REFERENCES "public"."gateway_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "charges_gateway_key_idx" ON "charges" USING btree ("gateway_key_id","created_at");--> statement-breakpoint
ALTER TABLE "gateway_accounts" DROP COLUMN "api_key_sealed";