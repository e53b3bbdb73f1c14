CREATE TABLE "disputes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"sale_id" uuid NOT NULL,
	"charge_id" uuid,
	"amount_cents" integer NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"origin" text NOT NULL,
	"note" text,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "disputes_status_check" CHECK ("disputes"."status" in ('open', 'won', 'lost', 'refunded')),
	CONSTRAINT "disputes_origin_check" CHECK ("disputes"."origin" in ('provider', 'seller')),
	CONSTRAINT "disputes_amount_check" CHECK ("disputes"."amount_cents" > 0),
	CONSTRAINT "disputes_decided_check" CHECK (("disputes"."status" = 'open') = ("disputes"."decided_at" is null))
);
--> statement-breakpoint
ALTER TABLE "outbox" DROP CONSTRAINT "outbox_event_check";--> statement-breakpoint
ALTER TABLE "payment_webhooks" DROP CONSTRAINT "payment_webhooks_state_check";--> statement-breakpoint
ALTER TABLE "sale_events" DROP CONSTRAINT "sale_events_kind_check";--> statement-breakpoint
ALTER TABLE "sales" DROP CONSTRAINT "sales_status_check";--> statement-breakpoint
ALTER TABLE "sales" DROP CONSTRAINT "sales_completed_at_check";--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "access_suspended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sellers" ADD COLUMN "suspends_disputed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "disputes_sale_idx" ON "disputes" USING btree ("sale_id","opened_at");--> statement-breakpoint
CREATE UNIQUE INDEX "disputes_open_key" ON "disputes" USING btree ("sale_id") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "disputes_charge_idx" ON "disputes" USING btree ("charge_id");--> statement-breakpoint
CREATE INDEX "disputes_waiting_idx" ON "disputes" USING btree ("seller_id","opened_at") WHERE status = 'open';--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_event_check" CHECK ("outbox"."event" in ('checkout.started', 'pix.generated', 'pix.expired', 'sale.paid', 'sale.refused', 'refund.requested', 'sale.refunded', 'sale.disputed', 'sale.dispute_won', 'sale.chargedback', 'access.granted', 'access.revoked')) NOT VALID;--> statement-breakpoint
ALTER TABLE "payment_webhooks" ADD CONSTRAINT "payment_webhooks_state_check" CHECK ("payment_webhooks"."state" in ('open', 'paid', 'expired', 'cancelled', 'disputed', 'refunded', 'chargedback', 'unclear')) NOT VALID;--> statement-breakpoint
ALTER TABLE "sale_events" ADD CONSTRAINT "sale_events_kind_check" CHECK ("sale_events"."kind" in ('placed', 'completed', 'failed', 'reopened', 'cancelled', 'disputed', 'dispute_won', 'refunded', 'chargedback', 'partly_refunded', 'customer_edited', 'viewed', 'downloaded')) NOT VALID;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_access_suspended_check" CHECK ("sales"."access_suspended_at" is null or "sales"."status" = 'disputed') NOT VALID;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_status_check" CHECK ("sales"."status" in ('pending', 'completed', 'failed', 'cancelled', 'disputed', 'refunded', 'chargedback')) NOT VALID;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_completed_at_check" CHECK (("sales"."status" in ('completed', 'disputed', 'refunded', 'chargedback')) = ("sales"."completed_at" is not null)) NOT VALID;