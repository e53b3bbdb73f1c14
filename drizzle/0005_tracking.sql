CREATE TABLE "tracking_connections" (
	"seller_id" uuid PRIMARY KEY NOT NULL,
	"api_token_sealed" text,
	"api_url" text,
	"source_id" text DEFAULT 'checkintelli' NOT NULL,
	"enabled_at" timestamp (3) with time zone,
	"on_purchase" boolean DEFAULT true NOT NULL,
	"on_refund" boolean DEFAULT false NOT NULL,
	"on_chargeback" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracking_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"sale_id" uuid NOT NULL,
	"state" text NOT NULL,
	"resend" smallint DEFAULT 0 NOT NULL,
	"transaction_id" text,
	"payload" jsonb NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"response_status" integer,
	"response_body" text,
	"note" text,
	"claimed_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "tracking_products" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"is_enabled" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "refund_status" text;--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "refund_requested_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "refund_accepted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "refund_failure" text;--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "refunded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD COLUMN "public_key_sealed" text;--> statement-breakpoint
ALTER TABLE "tracking_connections" ADD CONSTRAINT "tracking_connections_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_events" ADD CONSTRAINT "tracking_events_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_events" ADD CONSTRAINT "tracking_events_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_products" ADD CONSTRAINT "tracking_products_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tracking_events_state_key" ON "tracking_events" USING btree ("sale_id","state","resend");--> statement-breakpoint
CREATE INDEX "tracking_events_seller_idx" ON "tracking_events" USING btree ("seller_id","attempted_at" DESC NULLS LAST);