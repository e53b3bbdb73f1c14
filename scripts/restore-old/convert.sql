-- Makes the newest old schema, with its rows, that of 1.0; `functions.sql` runs after it. Plain SQL, in order: append to it.

-- Functions and triggers go, so that nothing here sets them off; `functions.sql` makes those of 1.0.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT tgname, tgrelid::regclass AS of FROM pg_trigger t INNER JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', one.tgname, one.of);
  END LOOP;
  FOR one IN SELECT p.oid::regprocedure AS it FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('DROP FUNCTION %s', one.it);
  END LOOP;
END $$;

-- Rules that were made beside rows of before.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT conname, conrelid::regclass AS of FROM pg_constraint
    WHERE NOT convalidated AND connamespace = 'public'::regnamespace
  LOOP
    EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', one.of, one.conname);
  END LOOP;
END $$;

-- UTMify is a destination like the others: what its own tables kept moves to `destinations` and `outbox`.
INSERT INTO destinations (seller_id, kind, name, events, except_product_ids, settings, stopped_at, stopped_why)
SELECT p.seller_id, 'utmify', 'UTMify', ARRAY['pix.generated', 'sale.refused', 'sale.paid'], array_agg(p.id ORDER BY p.id),
  '{"apiUrl": null, "sourceId": "checkintelli", "isEnabled": false, "former": []}', now(), 'seller'
FROM tracking_products t INNER JOIN products p ON p.id = t.product_id
WHERE NOT t.is_enabled AND NOT EXISTS (SELECT FROM tracking_connections c WHERE c.seller_id = p.seller_id)
GROUP BY p.seller_id;
UPDATE destinations d
SET product_ids = NULL, settings = d.settings || jsonb_build_object('isEnabled', c.enabled_at IS NOT NULL)
FROM tracking_connections c
WHERE c.seller_id = d.seller_id AND d.kind = 'utmify' AND d.deleted_at IS NULL;
-- The last row of each state of a sale. The order that was sent is not kept: its document is encrypted inside of it.
INSERT INTO outbox (destination_id, seller_id, sale_id, subject_id, about_id, event, status, why, attempts, response_status,
  response_body, created_at, tried_at, cleared_at)
SELECT d.id, e.seller_id, e.sale_id, e.sale_id, e.sale_id,
  CASE e.state WHEN 'waiting_payment' THEN 'pix.generated' WHEN 'refused' THEN 'sale.refused' WHEN 'paid' THEN 'sale.paid'
    WHEN 'refunded' THEN 'sale.refunded' ELSE 'sale.chargedback' END,
  CASE e.status WHEN 'sent' THEN 'sent' WHEN 'failed' THEN 'refused' ELSE 'dropped' END,
  CASE e.status WHEN 'sent' THEN 'taken' WHEN 'queued' THEN 'restored' WHEN 'dropped' THEN 'outdated'
    ELSE CASE WHEN e.response_status IN (401, 403, 404) THEN 'token' WHEN e.response_status >= 500 THEN 'status'
      WHEN e.response_status > 0 THEN 'rejected' ELSE 'lost' END END,
  e.attempts, e.response_status, e.response_body, e.created_at, e.attempted_at, now()
FROM (
  SELECT DISTINCT ON (sale_id, state) * FROM tracking_events WHERE status <> 'moved' ORDER BY sale_id, state, resend DESC
) e INNER JOIN destinations d ON d.seller_id = e.seller_id AND d.kind = 'utmify' AND d.deleted_at IS NULL
ORDER BY e.created_at
ON CONFLICT (destination_id, about_id, event, part) DO NOTHING;
DROP TABLE tracking_events, tracking_products, tracking_connections;

-- What was paid before payments were checked at a pace has its first check soon, where the work that scheduled them had not ended.
INSERT INTO paced_checks (charge_id, seller_id, provider, due_at)
SELECT c.id, s.seller_id, c.provider, now() + random() * interval '20 hours' FROM charges c INNER JOIN sales s ON s.id = c.sale_id
WHERE c.status IN ('paid', 'mispaid') AND c.paid_at > now() - interval '90 days'
  AND NOT EXISTS (SELECT FROM backfills WHERE name = 'paced-checks' AND ended_at IS NOT NULL)
ON CONFLICT (charge_id) DO NOTHING;
DROP TABLE backfills;

-- Whose each row is.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT * FROM (VALUES
    ('order_bumps', 'product_id', 'products'),
    ('upsell_offers', 'product_id', 'products'),
    ('offer_sale_counts', 'upsell_offer_id', 'upsell_offers'),
    ('content_items', 'content_id', 'contents'),
    ('line_contents', 'content_id', 'contents'),
    ('sale_lines', 'sale_id', 'sales'),
    ('sale_events', 'sale_id', 'sales'),
    ('offer_showings', 'sale_id', 'sales'),
    ('downloads', 'sale_id', 'sales'),
    ('download_resets', 'sale_id', 'sales'),
    ('reminders', 'sale_id', 'sales'),
    ('charges', 'sale_id', 'sales'),
    ('charge_events', 'charge_id', 'charges'),
    ('refunds', 'charge_id', 'charges')
  ) AS owned (child, through, parent)
  LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN seller_id uuid', one.child);
    EXECUTE format('UPDATE %I c SET seller_id = p.seller_id FROM %I p WHERE p.id = c.%I', one.child, one.parent, one.through);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN seller_id SET NOT NULL, ADD CONSTRAINT %I FOREIGN KEY (seller_id) REFERENCES sellers (id)',
      one.child, one.child || '_seller_id_sellers_id_fk');
  END LOOP;
END $$;
-- A webhook of no charge of ours says in its key whose address it came to.
UPDATE payment_webhooks w SET seller_id = c.seller_id FROM charges c WHERE c.id = w.charge_id;
UPDATE payment_webhooks w SET seller_id = s.id FROM sellers s
WHERE w.charge_id IS NULL AND s.id::text = split_part(w.dedupe_key, '|', 2);
DELETE FROM payment_webhooks WHERE seller_id IS NULL;
ALTER TABLE payment_webhooks ALTER COLUMN seller_id SET NOT NULL,
  ADD CONSTRAINT payment_webhooks_seller_id_sellers_id_fk FOREIGN KEY (seller_id) REFERENCES sellers (id);
ALTER TABLE mail_events ADD COLUMN seller_id uuid REFERENCES sellers (id);
ALTER TABLE mail_events RENAME CONSTRAINT mail_events_seller_id_fkey TO mail_events_seller_id_sellers_id_fk;
UPDATE mail_events e SET seller_id = coalesce(h.seller_id, (SELECT m.seller_id FROM mails m WHERE m.id = e.mail_id))
FROM mail_hooks h WHERE h.id = e.hook_id;
-- Names of before are good for a day at most.
DELETE FROM idempotency_keys WHERE sale_id IS NOT NULL AND NOT EXISTS (SELECT FROM sales s WHERE s.id = sale_id);
ALTER TABLE idempotency_keys ADD COLUMN seller_id uuid;
UPDATE idempotency_keys k SET seller_id = s.seller_id FROM sales s WHERE s.id = k.sale_id;
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_seller_check CHECK (sale_id IS NULL OR seller_id IS NOT NULL);

-- The names of 1.0.
ALTER TABLE erasures RENAME COLUMN asked_at TO requested_at;
ALTER TABLE erasures RENAME COLUMN due_at TO scheduled_at;
ALTER INDEX erasures_due_idx RENAME TO erasures_scheduled_idx;
ALTER TABLE refund_requests RENAME COLUMN next_try_at TO next_attempt_at;
ALTER TABLE refund_requests RENAME COLUMN tries TO attempts;
ALTER INDEX refund_requests_next_try_idx RENAME TO refund_requests_next_attempt_idx;
ALTER TABLE contents RENAME COLUMN upsell_offer_id TO upsell_id;
ALTER INDEX contents_upsell_offer_key RENAME TO contents_upsell_key;
ALTER TABLE contents RENAME CONSTRAINT contents_upsell_offer_id_upsell_offers_id_fk TO contents_upsell_id_upsells_id_fk;
ALTER TABLE funnel_orders RENAME COLUMN offers TO upsells;
ALTER TABLE funnel_orders RENAME COLUMN offers_paid TO upsells_paid;
ALTER TABLE idempotency_keys RENAME COLUMN busy_until TO leased_until;
ALTER TABLE mail_paces RENAME COLUMN next_at TO next_slot_at;
ALTER TABLE mail_paces RENAME COLUMN apart_ms TO interval_ms;
ALTER TABLE mails RENAME COLUMN facts TO data;
ALTER TABLE mails RENAME COLUMN due_at TO scheduled_at;
ALTER TABLE mails RENAME COLUMN turn_at TO slot_at;
ALTER TABLE mails RENAME COLUMN unsure_since TO uncertain_since;
ALTER INDEX mails_due_at_idx RENAME TO mails_scheduled_at_idx;
ALTER TABLE reminders RENAME COLUMN due_at TO scheduled_at;
ALTER INDEX reminders_due_idx RENAME TO reminders_scheduled_idx;
ALTER TABLE destinations RENAME COLUMN stopped_why TO stopped_reason;
ALTER TABLE destinations RENAME COLUMN rest_until TO backoff_until;
ALTER TABLE outbox RENAME TO deliveries;
ALTER TABLE deliveries RENAME COLUMN place TO sequence;
ALTER TABLE deliveries RENAME COLUMN why TO reason;
ALTER TABLE deliveries RENAME COLUMN tries TO attempt_log;
ALTER TABLE deliveries RENAME COLUMN claimed_until TO leased_until;
ALTER TABLE deliveries RENAME COLUMN tried_at TO attempted_at;
ALTER TABLE deliveries RENAME COLUMN next_at TO next_attempt_at;
ALTER TABLE deliveries RENAME COLUMN due_at TO scheduled_at;
ALTER INDEX outbox_news_key RENAME TO deliveries_event_key;
ALTER INDEX outbox_subject_idx RENAME TO deliveries_subject_idx;
ALTER INDEX outbox_due_at_idx RENAME TO deliveries_scheduled_at_idx;
ALTER INDEX outbox_claimed_idx RENAME TO deliveries_leased_idx;
ALTER INDEX outbox_parked_idx RENAME TO deliveries_parked_idx;
ALTER INDEX outbox_log_idx RENAME TO deliveries_log_idx;
ALTER INDEX outbox_sale_idx RENAME TO deliveries_sale_idx;
ALTER INDEX outbox_seller_idx RENAME TO deliveries_seller_idx;
ALTER INDEX outbox_text_idx RENAME TO deliveries_text_idx;
ALTER TABLE deliveries RENAME CONSTRAINT outbox_destination_id_destinations_id_fk TO deliveries_destination_id_destinations_id_fk;
ALTER TABLE deliveries RENAME CONSTRAINT outbox_seller_id_sellers_id_fk TO deliveries_seller_id_sellers_id_fk;
ALTER TABLE deliveries RENAME CONSTRAINT outbox_sale_id_sales_id_fk TO deliveries_sale_id_sales_id_fk;
ALTER TABLE deliveries RENAME CONSTRAINT outbox_event_check TO deliveries_event_check;
ALTER TABLE deliveries RENAME CONSTRAINT outbox_pkey TO deliveries_pkey;
ALTER TABLE charges RENAME COLUMN surplus_at TO overpaid_at;
ALTER TABLE charges RENAME COLUMN asked_by TO requested_by;
ALTER TABLE charges RENAME CONSTRAINT charges_surplus_check TO charges_overpaid_check;
ALTER TABLE paced_checks RENAME COLUMN due_at TO scheduled_at;
ALTER INDEX paced_checks_due_idx RENAME TO paced_checks_scheduled_idx;
ALTER TABLE payment_webhooks RENAME COLUMN word TO provider_status;
ALTER TABLE pictures RENAME COLUMN place TO use;
ALTER TABLE pictures RENAME COLUMN due_at TO scheduled_at;
ALTER TABLE pictures RENAME COLUMN tries TO attempts;
ALTER INDEX pictures_due_idx RENAME TO pictures_scheduled_idx;
ALTER TABLE pictures RENAME CONSTRAINT pictures_place_check TO pictures_use_check;
ALTER TABLE offer_sale_counts RENAME TO upsell_sale_counts;
ALTER TABLE upsell_sale_counts RENAME COLUMN upsell_offer_id TO upsell_id;
ALTER TABLE upsell_sale_counts RENAME CONSTRAINT offer_sale_counts_upsell_offer_id_upsell_offers_id_fk TO upsell_sale_counts_upsell_id_upsells_id_fk;
ALTER TABLE upsell_sale_counts RENAME CONSTRAINT offer_sale_counts_seller_id_sellers_id_fk TO upsell_sale_counts_seller_id_sellers_id_fk;
ALTER TABLE upsell_sale_counts RENAME CONSTRAINT offer_sale_counts_upsell_offer_id_shard_pk TO upsell_sale_counts_upsell_id_shard_pk;
ALTER TABLE upsell_offers RENAME TO upsells;
ALTER INDEX upsell_offers_product_idx RENAME TO upsells_product_idx;
ALTER TABLE upsells RENAME CONSTRAINT upsell_offers_seller_id_sellers_id_fk TO upsells_seller_id_sellers_id_fk;
ALTER TABLE upsells RENAME CONSTRAINT upsell_offers_product_id_products_id_fk TO upsells_product_id_products_id_fk;
ALTER TABLE upsells RENAME CONSTRAINT upsell_offers_pkey TO upsells_pkey;
ALTER TABLE queue_workers RENAME COLUMN beat_at TO heartbeat_at;
ALTER TABLE report_days RENAME COLUMN offers TO upsells;
ALTER TABLE report_days RENAME COLUMN mail_tries TO mail_attempts;
ALTER TABLE sale_lines RENAME COLUMN upsell_offer_id TO upsell_id;
ALTER INDEX sale_lines_upsell_offer_idx RENAME TO sale_lines_upsell_idx;
ALTER TABLE sale_lines RENAME CONSTRAINT sale_lines_upsell_offer_id_upsell_offers_id_fk TO sale_lines_upsell_id_upsells_id_fk;
ALTER TABLE sales RENAME COLUMN press_key TO submission_key;
ALTER TABLE sales RENAME COLUMN emptied_at TO anonymized_at;
ALTER TABLE sales RENAME COLUMN emptied_as TO anonymized_as;
ALTER INDEX sales_buyer_words_idx RENAME TO sales_buyer_search_idx;
ALTER INDEX sales_buyer_place_idx RENAME TO sales_buyer_portal_idx;
ALTER INDEX sales_unpaid_person_idx RENAME TO sales_pending_anonymization_idx;
ALTER INDEX sales_emptied_idx RENAME TO sales_anonymized_idx;
ALTER TABLE sellers RENAME COLUMN emptied_at TO anonymized_at;
ALTER TABLE stamps RENAME TO stamped_copies;
ALTER TABLE stamped_copies RENAME COLUMN words_key TO text_key;
ALTER TABLE stamped_copies RENAME COLUMN due_at TO scheduled_at;
ALTER TABLE stamped_copies RENAME COLUMN tries TO attempts;
ALTER TABLE stamped_copies RENAME COLUMN took_ms TO duration_ms;
ALTER TABLE stamped_copies RENAME COLUMN asked_at TO requested_at;
ALTER INDEX stamps_sale_key RENAME TO stamped_copies_sale_key;
ALTER INDEX stamps_trial_key RENAME TO stamped_copies_trial_key;
ALTER INDEX stamps_file_idx RENAME TO stamped_copies_file_idx;
ALTER INDEX stamps_seller_idx RENAME TO stamped_copies_seller_idx;
ALTER INDEX stamps_due_idx RENAME TO stamped_copies_scheduled_idx;
ALTER INDEX stamps_asked_idx RENAME TO stamped_copies_requested_idx;
ALTER INDEX stamps_copy_idx RENAME TO stamped_copies_copy_idx;
ALTER TABLE stamped_copies RENAME CONSTRAINT stamps_seller_id_sellers_id_fk TO stamped_copies_seller_id_sellers_id_fk;
ALTER TABLE stamped_copies RENAME CONSTRAINT stamps_file_id_files_id_fk TO stamped_copies_file_id_files_id_fk;
ALTER TABLE stamped_copies RENAME CONSTRAINT stamps_sale_id_sales_id_fk TO stamped_copies_sale_id_sales_id_fk;
ALTER TABLE stamped_copies RENAME CONSTRAINT stamps_copy_id_files_id_fk TO stamped_copies_copy_id_files_id_fk;
ALTER TABLE stamped_copies RENAME CONSTRAINT stamps_failure_check TO stamped_copies_failure_check;
ALTER TABLE stamped_copies RENAME CONSTRAINT stamps_words_check TO stamped_copies_text_check;
ALTER TABLE stamped_copies RENAME CONSTRAINT stamps_pkey TO stamped_copies_pkey;
ALTER TABLE offer_showings RENAME TO upsell_showings;
ALTER TABLE upsell_showings RENAME COLUMN offer_id TO upsell_id;
ALTER INDEX offer_showings_offer_idx RENAME TO upsell_showings_upsell_idx;
ALTER TABLE upsell_showings RENAME CONSTRAINT offer_showings_sale_id_sales_id_fk TO upsell_showings_sale_id_sales_id_fk;
ALTER TABLE upsell_showings RENAME CONSTRAINT offer_showings_seller_id_sellers_id_fk TO upsell_showings_seller_id_sellers_id_fk;
ALTER TABLE upsell_showings RENAME CONSTRAINT offer_showings_offer_id_upsell_offers_id_fk TO upsell_showings_upsell_id_upsells_id_fk;
ALTER TABLE upsell_showings RENAME CONSTRAINT offer_showings_sale_id_offer_id_pk TO upsell_showings_sale_id_upsell_id_pk;
ALTER SEQUENCE upsell_offers_id_seq RENAME TO upsells_id_seq;
ALTER SEQUENCE outbox_place_seq RENAME TO deliveries_sequence_seq;
-- Coupons.
CREATE TABLE "coupons" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"code" text NOT NULL,
	"percent" integer,
	"amount_cents" integer,
	"includes_bumps" boolean DEFAULT false NOT NULL,
	"product_ids" bigint[],
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"max_uses" integer,
	"max_uses_per_buyer" integer,
	"minimum_cents" integer,
	"is_first_purchase_only" boolean DEFAULT false NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"deactivated_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "coupons_discount_check" CHECK (("coupons"."percent" is null) = ("coupons"."amount_cents" is not null)),
	CONSTRAINT "coupons_percent_check" CHECK ("coupons"."percent" between 1 and 100),
	CONSTRAINT "coupons_amount_check" CHECK ("coupons"."amount_cents" > 0),
	CONSTRAINT "coupons_bumps_check" CHECK ("coupons"."percent" is not null or not "coupons"."includes_bumps"),
	CONSTRAINT "coupons_uses_check" CHECK ("coupons"."uses" >= 0)
);
CREATE TABLE "coupon_uses" (
	"sale_id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"coupon_id" uuid NOT NULL,
	"email_hash" text,
	"document_hash" text,
	"released_at" timestamp (3) with time zone
);
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "coupon_uses" ADD CONSTRAINT "coupon_uses_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "coupon_uses" ADD CONSTRAINT "coupon_uses_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "coupon_uses" ADD CONSTRAINT "coupon_uses_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;
CREATE UNIQUE INDEX "coupons_code_key" ON "coupons" USING btree ("seller_id","code") WHERE archived_at is null;
CREATE INDEX "coupons_seller_idx" ON "coupons" USING btree ("seller_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
CREATE INDEX "coupon_uses_email_idx" ON "coupon_uses" USING btree ("coupon_id","email_hash");
CREATE INDEX "coupon_uses_document_idx" ON "coupon_uses" USING btree ("coupon_id","document_hash");
ALTER TABLE sales ADD COLUMN coupon_id uuid, ADD COLUMN coupon_code text;
ALTER TABLE "sales" ADD CONSTRAINT "sales_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "sales_coupon_idx" ON "sales" USING btree ("coupon_id","created_at" DESC NULLS FIRST,"id") WHERE coupon_id is not null;
ALTER TABLE sales ADD CONSTRAINT sales_coupon_check CHECK (("sales"."coupon_id" is null) = ("sales"."coupon_code" is null));
ALTER TABLE sales DROP CONSTRAINT sales_amount_check, ADD CONSTRAINT sales_amount_check CHECK ("sales"."amount_cents" >= 0);
ALTER TABLE sale_lines ADD COLUMN discount_cents integer DEFAULT 0 NOT NULL;
ALTER TABLE report_days ADD COLUMN discount_cents bigint DEFAULT 0 NOT NULL;
ALTER TABLE report_days ALTER COLUMN discount_cents DROP DEFAULT;
ALTER TABLE sale_lines DROP CONSTRAINT sale_lines_price_check, ADD CONSTRAINT sale_lines_price_check CHECK ("sale_lines"."price_cents" >= 0 and "sale_lines"."discount_cents" >= 0);
-- Keys and indexes of a purchase's rows begin with the seller.
DROP INDEX payment_webhooks_dedupe_key, refund_requests_sale_key, deliveries_sale_idx, deliveries_seller_idx, disputes_sale_idx, disputes_open_key, disputes_charge_idx, disputes_seller_idx, funnel_marks_idx, mails_sale_idx, payment_webhooks_charge_idx, payment_webhooks_unhandled_idx, charge_events_charge_idx, charges_sale_idx, charges_counting_key, refunds_charge_idx, refunds_pending_key, order_bumps_product_idx, upsells_product_idx, report_marks_idx, sale_events_sale_idx, sale_lines_sale_idx, sales_product_idx, sales_buyer_idx, sales_customer_idx, sales_order_key_idx, sales_parent_idx;
ALTER TABLE funnel_marks DROP CONSTRAINT funnel_marks_pkey, ADD CONSTRAINT funnel_marks_seller_id_day_id_pk PRIMARY KEY (seller_id, day, id);
ALTER TABLE report_marks DROP CONSTRAINT report_marks_pkey, ADD CONSTRAINT report_marks_seller_id_day_id_pk PRIMARY KEY (seller_id, day, id);
ALTER TABLE charge_events DROP CONSTRAINT charge_events_pkey, ADD CONSTRAINT charge_events_seller_id_charge_id_id_pk PRIMARY KEY (seller_id, charge_id, id);
ALTER TABLE sale_events DROP CONSTRAINT sale_events_pkey, ADD CONSTRAINT sale_events_seller_id_sale_id_id_pk PRIMARY KEY (seller_id, sale_id, id);
ALTER TABLE paced_checks DROP CONSTRAINT paced_checks_pkey, ADD CONSTRAINT paced_checks_seller_id_charge_id_pk PRIMARY KEY (seller_id, charge_id);
ALTER TABLE upsell_showings DROP CONSTRAINT upsell_showings_sale_id_upsell_id_pk, ADD CONSTRAINT upsell_showings_seller_id_sale_id_upsell_id_pk PRIMARY KEY (seller_id, sale_id, upsell_id);
ALTER TABLE products ADD CONSTRAINT products_seller_key UNIQUE (seller_id, id);
ALTER TABLE order_bumps DROP CONSTRAINT order_bumps_product_id_products_id_fk, ADD CONSTRAINT order_bumps_product_fk FOREIGN KEY (seller_id, product_id)
  REFERENCES products (seller_id, id) ON DELETE CASCADE;
ALTER TABLE upsells DROP CONSTRAINT upsells_product_id_products_id_fk, ADD CONSTRAINT upsells_product_fk FOREIGN KEY (seller_id, product_id)
  REFERENCES products (seller_id, id) ON DELETE CASCADE;
ALTER TABLE sales DROP CONSTRAINT sales_product_id_products_id_fk, ADD CONSTRAINT sales_product_fk FOREIGN KEY (seller_id, product_id)
  REFERENCES products (seller_id, id);
CREATE UNIQUE INDEX refund_requests_sale_key ON refund_requests (seller_id,sale_id,kind);
CREATE INDEX deliveries_sale_idx ON deliveries (seller_id,sale_id);
CREATE INDEX disputes_sale_idx ON disputes (seller_id,sale_id,opened_at);
CREATE UNIQUE INDEX disputes_open_key ON disputes (seller_id,sale_id) WHERE status = 'open';
CREATE INDEX mails_sale_idx ON mails (seller_id,sale_id,created_at);
CREATE UNIQUE INDEX payment_webhooks_dedupe_key ON payment_webhooks (seller_id,dedupe_key);
CREATE INDEX payment_webhooks_charge_idx ON payment_webhooks (seller_id,charge_id);
CREATE INDEX payment_webhooks_unhandled_idx ON payment_webhooks (seller_id,charge_id) WHERE handled_at is null;
CREATE INDEX charges_sale_idx ON charges (seller_id,sale_id,created_at);
CREATE UNIQUE INDEX charges_counting_key ON charges (seller_id,sale_id) WHERE status = 'paid' and overpaid_at is null;
CREATE INDEX refunds_charge_idx ON refunds (seller_id,charge_id,requested_at);
CREATE UNIQUE INDEX refunds_pending_key ON refunds (seller_id,charge_id) WHERE status = 'pending';
CREATE INDEX order_bumps_product_idx ON order_bumps (seller_id,product_id,position);
CREATE INDEX upsells_product_idx ON upsells (seller_id,product_id,position);
CREATE INDEX sale_lines_sale_idx ON sale_lines (seller_id,sale_id,position);
CREATE INDEX sales_product_idx ON sales (seller_id,product_id,created_at DESC NULLS FIRST,id);
CREATE INDEX sales_buyer_idx ON sales (seller_id,customer_email text_pattern_ops,product_id);
CREATE INDEX sales_order_key_idx ON sales (seller_id,order_key,created_at);
CREATE INDEX sales_parent_idx ON sales (seller_id,parent_sale_id) WHERE parent_sale_id is not null;
UPDATE mails m SET seller_id = s.seller_id FROM sales s WHERE s.id = m.sale_id AND m.seller_id IS NULL;
ALTER TABLE mails ADD CONSTRAINT mails_seller_check CHECK (sale_id IS NULL OR seller_id IS NOT NULL);
CREATE INDEX mails_refused_access_idx ON mails (seller_id,created_at) WHERE failure = 'refused' and kind in ('purchase', 'upsell', 'access');
-- PostgreSQL 18 names the rule that a column is not null after table and column.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT c.conname, c.conrelid::regclass AS of, t.relname || '_' || a.attname || '_not_null' AS name
    FROM pg_constraint c INNER JOIN pg_class t ON t.oid = c.conrelid
      INNER JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'n' AND c.connamespace = 'public'::regnamespace
      AND c.conname <> t.relname || '_' || a.attname || '_not_null'
  LOOP
    EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', one.of, one.conname, one.name);
  END LOOP;
END $$;
-- The kinds of destinations are listed in the code alone.
ALTER TABLE destinations DROP CONSTRAINT destinations_kind_check;
-- Offers: other prices of a product, and the addresses of all checkouts in one table.
DROP INDEX products_checkout_slug_key;
ALTER TABLE coupons ADD COLUMN offer_ids uuid[];
CREATE TABLE "offers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"product_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"price_cents" integer NOT NULL,
	"original_price_cents" integer,
	"slug" text,
	"bump_ids" bigint[],
	"upsell_ids" bigint[],
	"content_item_ids" uuid[],
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"max_units" integer,
	"max_units_per_buyer" integer,
	"min_quantity" integer DEFAULT 1 NOT NULL,
	"max_quantity" integer DEFAULT 1 NOT NULL,
	"units" integer DEFAULT 0 NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"deactivated_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "offers_seller_key" UNIQUE("seller_id","id"),
	CONSTRAINT "offers_kind_check" CHECK ("offers"."kind" in ('link', 'listed', 'tier')),
	CONSTRAINT "offers_price_check" CHECK ("offers"."price_cents" >= 0),
	CONSTRAINT "offers_units_check" CHECK ("offers"."units" >= 0),
	CONSTRAINT "offers_quantity_check" CHECK ("offers"."min_quantity" between 1 and "offers"."max_quantity")
);
CREATE TABLE "offer_uses" (
	"sale_id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"offer_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	"email_hash" text,
	"document_hash" text,
	"released_at" timestamp (3) with time zone
);
CREATE TABLE "checkout_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"product_id" bigint NOT NULL,
	"offer_id" uuid,
	CONSTRAINT "checkout_slugs_owner_key" UNIQUE NULLS NOT DISTINCT("seller_id","product_id","offer_id")
);
ALTER TABLE "offer_uses" ADD CONSTRAINT "offer_uses_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "offer_uses" ADD CONSTRAINT "offer_uses_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "offer_uses" ADD CONSTRAINT "offer_uses_offer_id_offers_id_fk" FOREIGN KEY ("offer_id") REFERENCES "public"."offers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "checkout_slugs" ADD CONSTRAINT "checkout_slugs_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "checkout_slugs" ADD CONSTRAINT "checkout_slugs_product_fk" FOREIGN KEY ("seller_id","product_id") REFERENCES "public"."products"("seller_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "offers" ADD CONSTRAINT "offers_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "offers" ADD CONSTRAINT "offers_product_fk" FOREIGN KEY ("seller_id","product_id") REFERENCES "public"."products"("seller_id","id") ON DELETE cascade ON UPDATE no action;
CREATE INDEX "offer_uses_email_idx" ON "offer_uses" USING btree ("offer_id","email_hash");
CREATE INDEX "offer_uses_document_idx" ON "offer_uses" USING btree ("offer_id","document_hash");
CREATE INDEX "offers_product_idx" ON "offers" USING btree ("seller_id","product_id","position");
ALTER TABLE sales ADD COLUMN offer_id uuid, ADD COLUMN offer_name text, ADD COLUMN quantity integer DEFAULT 1 NOT NULL;
ALTER TABLE sale_lines ADD COLUMN quantity integer DEFAULT 1 NOT NULL;
ALTER TABLE "sales" ADD CONSTRAINT "sales_offer_id_offers_id_fk" FOREIGN KEY ("offer_id") REFERENCES "public"."offers"("id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "sales_offer_idx" ON "sales" USING btree ("offer_id","created_at" DESC NULLS FIRST,"id") WHERE offer_id is not null;
ALTER TABLE sales ADD CONSTRAINT sales_offer_check CHECK (("sales"."offer_id" is null) = ("sales"."offer_name" is null));
ALTER TABLE sales ADD CONSTRAINT sales_quantity_check CHECK ("sales"."quantity" >= 1);
INSERT INTO checkout_slugs (slug, seller_id, product_id) SELECT lower(checkout_slug), seller_id, id FROM products WHERE checkout_slug IS NOT NULL;
ALTER TABLE coupon_uses ADD COLUMN is_over_limit boolean DEFAULT false NOT NULL;
ALTER TABLE offer_uses ADD COLUMN is_over_limit boolean DEFAULT false NOT NULL;
ALTER TABLE gateway_accounts ADD COLUMN position integer DEFAULT 0 NOT NULL;
ALTER TABLE sale_lines ADD COLUMN method_discount_cents integer DEFAULT 0 NOT NULL;
ALTER TABLE sale_lines DROP CONSTRAINT sale_lines_price_check;
ALTER TABLE sale_lines ADD CONSTRAINT sale_lines_price_check CHECK ("sale_lines"."price_cents" >= 0 and "sale_lines"."discount_cents" >= 0 and "sale_lines"."method_discount_cents" >= 0);
ALTER TABLE gateway_accounts ADD COLUMN next_spare_test_at timestamp (3) with time zone, ADD COLUMN spare_failure text;
CREATE INDEX "gateway_accounts_next_spare_test_idx" ON "gateway_accounts" USING btree ("next_spare_test_at") WHERE next_spare_test_at is not null;
CREATE INDEX "charges_seller_paid_idx" ON "charges" USING btree ("seller_id","paid_at") WHERE paid_at is not null;
ALTER TABLE gateway_accounts ADD COLUMN cards_enabled_at timestamp (3) with time zone;
ALTER TABLE charges ADD COLUMN method text DEFAULT 'pix' NOT NULL, ADD COLUMN instalments integer, ADD COLUMN buyer_cents integer, ADD COLUMN decline_reason text;
ALTER TABLE charges DROP CONSTRAINT charges_status_check, ADD CONSTRAINT "charges_status_check" CHECK ("charges"."status" in ('creating', 'open', 'unknown', 'in_review', 'declined', 'paid', 'mispaid', 'failed', 'expired', 'cancelled'));
ALTER TABLE charge_events DROP CONSTRAINT charge_events_kind_check, ADD CONSTRAINT "charge_events_kind_check" CHECK ("charge_events"."kind" in ('requested', 'made', 'asked', 'unanswered', 'in_review', 'declined', 'paid', 'surplus', 'mispaid', 'expired', 'cancelled', 'failed', 'refund_requested', 'refund_accepted', 'refund_refused', 'refund_unconfirmed', 'refund_done', 'refund_withdrawn', 'not_returned'));
ALTER TABLE payment_webhooks DROP CONSTRAINT payment_webhooks_state_check, ADD CONSTRAINT "payment_webhooks_state_check" CHECK ("payment_webhooks"."state" in ('open', 'in_review', 'declined', 'paid', 'expired', 'cancelled', 'disputed', 'refunded', 'chargedback', 'unclear'));
ALTER TABLE charges ADD CONSTRAINT "charges_method_check" CHECK ("charges"."method" in ('pix', 'card'));
ALTER TABLE charges ADD CONSTRAINT "charges_instalments_check" CHECK (("charges"."method" = 'card') = ("charges"."instalments" is not null));
ALTER TABLE charges ADD CONSTRAINT "charges_declined_check" CHECK (("charges"."status" = 'declined') = ("charges"."decline_reason" is not null));
ALTER TABLE charges ADD CONSTRAINT "charges_card_status_check" CHECK ("charges"."status" not in ('unknown', 'in_review', 'declined') or "charges"."method" = 'card');
CREATE INDEX "charges_unknown_idx" ON "charges" USING btree ("created_at") WHERE status = 'unknown';
ALTER TABLE sales ADD COLUMN pix_discount_cents integer DEFAULT 0 NOT NULL;
ALTER TABLE sale_lines ADD COLUMN pix_discount_cents integer DEFAULT 0 NOT NULL;
UPDATE sale_lines SET pix_discount_cents = method_discount_cents WHERE method_discount_cents > 0;
UPDATE sales s SET pix_discount_cents = l.cents FROM (SELECT seller_id, sale_id, sum(pix_discount_cents) AS cents FROM sale_lines
  WHERE pix_discount_cents > 0 GROUP BY 1, 2) l WHERE l.seller_id = s.seller_id AND l.sale_id = s.id;
ALTER TABLE sale_lines DROP CONSTRAINT sale_lines_price_check;
ALTER TABLE sale_lines ADD CONSTRAINT sale_lines_price_check CHECK ("sale_lines"."price_cents" >= 0 and "sale_lines"."discount_cents" >= 0 and "sale_lines"."method_discount_cents" in (0, "sale_lines"."pix_discount_cents") and "sale_lines"."pix_discount_cents" >= 0);
ALTER TABLE disputes ADD COLUMN provider_id text, ADD COLUMN evidence_status text, ADD COLUMN evidence_due_at timestamp (3) with time zone, ADD COLUMN evidence_sent_at timestamp (3) with time zone;
ALTER TABLE disputes ADD CONSTRAINT "disputes_evidence_status_check" CHECK ("disputes"."evidence_status" in ('not_needed', 'needed', 'in_review', 'accepted', 'rejected', 'missed'));
ALTER TABLE sale_events DROP CONSTRAINT sale_events_kind_check, ADD CONSTRAINT "sale_events_kind_check" CHECK ("sale_events"."kind" in ('placed', 'completed', 'failed', 'reopened', 'cancelled', 'disputed', 'evidence_sent', 'dispute_won', 'refunded', 'chargedback', 'partly_refunded', 'customer_edited', 'viewed', 'downloaded'));
ALTER TABLE sellers ADD COLUMN refunds_overpayments boolean DEFAULT false NOT NULL;
ALTER TABLE refunds ADD COLUMN send_at timestamp (3) with time zone;
ALTER TABLE refunds DROP CONSTRAINT refunds_origin_check, ADD CONSTRAINT "refunds_origin_check" CHECK ("refunds"."origin" in ('requested', 'automatic', 'recorded', 'observed'));
ALTER TABLE refunds ADD CONSTRAINT "refunds_send_check" CHECK ("refunds"."send_at" is null or "refunds"."origin" = 'automatic');
CREATE INDEX "refunds_send_idx" ON "refunds" USING btree ("send_at") WHERE send_at is not null;
CREATE TABLE "statement_lines" (
	"seller_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"amount_cents" integer NOT NULL,
	"fee_cents" integer,
	"release_at" timestamp (3) with time zone,
	"source_id" text NOT NULL,
	"read_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "statement_lines_seller_id_charge_id_kind_at_amount_cents_pk" PRIMARY KEY("seller_id","charge_id","kind","at","amount_cents"),
	CONSTRAINT "statement_lines_kind_check" CHECK ("statement_lines"."kind" in ('payment', 'refund', 'chargeback'))
);
CREATE TABLE "statements" (
	"seller_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"day" date NOT NULL,
	"key_id" uuid,
	"requested_at" timestamp (3) with time zone,
	"task_id" text,
	"next_attempt_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure_kind" text,
	"read_at" timestamp (3) with time zone,
	"other_payments" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "statements_seller_id_provider_day_pk" PRIMARY KEY("seller_id","provider","day"),
	CONSTRAINT "statements_failure_check" CHECK ("statements"."failure_kind" in ('refused', 'credentials', 'busy', 'no-answer', 'nonsense'))
);
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "statements" ADD CONSTRAINT "statements_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;
CREATE INDEX "statement_lines_at_idx" ON "statement_lines" USING btree ("seller_id","at");
CREATE INDEX "statement_lines_source_idx" ON "statement_lines" USING btree ("seller_id","source_id");
CREATE INDEX "statements_next_attempt_idx" ON "statements" USING btree ("next_attempt_at") WHERE next_attempt_at is not null;
ALTER TABLE report_days ADD COLUMN fee_cents bigint DEFAULT 0 NOT NULL, ADD COLUMN without_fee integer DEFAULT 0 NOT NULL;
ALTER TABLE report_days ALTER COLUMN fee_cents DROP DEFAULT, ALTER COLUMN without_fee DROP DEFAULT;
INSERT INTO report_marks (seller_id, day) SELECT DISTINCT seller_id, day FROM report_days;
CREATE TABLE "webhook_tests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"gateway_key_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"requested_at" timestamp (3) with time zone,
	"provider_id" text,
	"ordered_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"failure_kind" text,
	"failure_detail" text,
	"arrival" text,
	"arrived_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	"cancel_failure" text,
	"paid_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"scheduled_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_tests_failure_kind_check" CHECK ("webhook_tests"."failure_kind" in ('refused', 'credentials', 'busy', 'no-answer', 'nonsense')),
	CONSTRAINT "webhook_tests_arrival_check" CHECK ("webhook_tests"."arrival" in ('other-topic', 'other-payment', 'wrong-signature', 'verified')),
	CONSTRAINT "webhook_tests_scheduled_check" CHECK ("webhook_tests"."ended_at" is not null or "webhook_tests"."scheduled_at" is not null)
);
ALTER TABLE "webhook_tests" ADD CONSTRAINT "webhook_tests_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "webhook_tests" ADD CONSTRAINT "webhook_tests_gateway_key_id_gateway_keys_id_fk" FOREIGN KEY ("gateway_key_id") REFERENCES "public"."gateway_keys"("id") ON DELETE no action ON UPDATE no action;
CREATE UNIQUE INDEX "webhook_tests_running_key" ON "webhook_tests" USING btree ("seller_id","provider") WHERE ended_at is null;
CREATE INDEX "webhook_tests_account_idx" ON "webhook_tests" USING btree ("seller_id","provider","started_at");
CREATE INDEX "webhook_tests_scheduled_idx" ON "webhook_tests" USING btree ("scheduled_at") WHERE scheduled_at is not null;
CREATE INDEX "webhook_tests_started_idx" ON "webhook_tests" USING btree ("started_at");
CREATE INDEX "webhook_tests_key_idx" ON "webhook_tests" USING btree ("gateway_key_id");
CREATE INDEX "sales_method_idx" ON "sales" USING btree ("seller_id","created_at" DESC NULLS FIRST,"id") WHERE payment_method <> 'pix';
UPDATE mails SET subject = payload ->> 'subject' WHERE subject IS NULL AND payload IS NOT NULL;
UPDATE mails SET status = 'failed', failure = 'gave-up', error = 'O texto deste e-mail é de uma versão anterior.' WHERE status = 'attempting' AND data IS NULL AND body_sealed IS NULL;
ALTER TABLE mails DROP CONSTRAINT "mails_waiting_check";
ALTER TABLE mails DROP COLUMN payload;
ALTER TABLE mails ADD CONSTRAINT "mails_waiting_check" CHECK (status <> 'attempting' or num_nonnulls(data, body_sealed) > 0);
ALTER TABLE deliveries ALTER COLUMN scheduled_at DROP NOT NULL;

CREATE TABLE "queued_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"scheduled_at" timestamp (3) with time zone DEFAULT now(),
	"leased_until" timestamp (3) with time zone,
	"slot_at" timestamp (3) with time zone,
	"claimed_at" timestamp (3) with time zone,
	"uncertain_since" timestamp (3) with time zone,
	"template_failed_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"priority" smallint DEFAULT 2 NOT NULL,
	"via" text DEFAULT 'platform' NOT NULL,
	"account" text,
	"request_id" text,
	"data" jsonb,
	"body_sealed" text,
	CONSTRAINT "queued_mails_text_check" CHECK (num_nonnulls(data, body_sealed) > 0)
);
INSERT INTO queued_mails SELECT id, seller_id, created_at, CASE status WHEN 'attempting' THEN scheduled_at END, null, slot_at, claimed_at, uncertain_since,
  template_failed_at, attempts, priority, via, CASE status WHEN 'attempting' THEN account END, request_id, data, body_sealed
  FROM mails WHERE status = 'attempting' OR status = 'failed' AND failure IN ('account', 'gave-up') AND num_nonnulls(data, body_sealed) > 0;
ALTER TABLE "queued_mails" ADD CONSTRAINT "queued_mails_id_mails_id_fk" FOREIGN KEY ("id") REFERENCES "public"."mails"("id") ON DELETE cascade ON UPDATE no action;
CREATE INDEX "queued_mails_priority_idx" ON "queued_mails" USING btree ("priority","scheduled_at");
CREATE INDEX "queued_mails_account_idx" ON "queued_mails" USING btree ("account","priority","created_at") WHERE account is not null;
CREATE INDEX "queued_mails_seller_idx" ON "queued_mails" USING btree ("seller_id");
CREATE INDEX "queued_mails_waiting_idx" ON "queued_mails" USING btree ("created_at") WHERE scheduled_at is not null;
CREATE INDEX "queued_mails_failed_idx" ON "queued_mails" USING btree ("created_at") WHERE scheduled_at is null;
ALTER TABLE mails ADD COLUMN failed_at timestamp (3) with time zone;
UPDATE mails SET failed_at = scheduled_at WHERE status = 'failed';
ALTER TABLE mails DROP CONSTRAINT "mails_waiting_check", DROP COLUMN data, DROP COLUMN body_sealed, DROP COLUMN scheduled_at, DROP COLUMN slot_at, DROP COLUMN claimed_at,
  DROP COLUMN uncertain_since, DROP COLUMN priority, DROP COLUMN account, DROP COLUMN request_id, DROP COLUMN cleared_at;
DROP INDEX IF EXISTS "mails_waiting_idx", "mails_scheduled_at_idx", "mails_priority_idx", "mails_account_idx", "mails_unsent_of_seller_idx", "mails_text_idx", "mails_provider_id_idx";
CREATE INDEX "mails_created_idx" ON "mails" USING btree ("created_at");
CREATE INDEX "mails_failed_idx" ON "mails" USING btree ("seller_id","created_at") WHERE failed_at is not null;
CREATE INDEX "mails_failed_at_idx" ON "mails" USING btree ("failed_at") WHERE failed_at is not null;
ALTER TABLE download_resets DROP CONSTRAINT "download_resets_pkey", ADD CONSTRAINT "download_resets_seller_id_sale_id_pk" PRIMARY KEY ("seller_id","sale_id");
ALTER TABLE sale_lines ADD COLUMN item_id bigint;
UPDATE sale_lines SET item_id = coalesce(product_id, order_bump_id, upsell_id);
CREATE INDEX "charges_undecided_idx" ON "charges" USING btree ("seller_id","created_at") WHERE status in ('unknown', 'in_review');

-- When a provider first accepted a key: of an older one only its charges tell.
ALTER TABLE gateway_keys ADD COLUMN accepted_at timestamp(3) with time zone;

CREATE TABLE "freed_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"freed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
ALTER TABLE "freed_slugs" ADD CONSTRAINT "freed_slugs_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "freed_slugs_freed_idx" ON "freed_slugs" USING btree ("freed_at");
ALTER TABLE sales ADD COLUMN extra_fee_cents integer DEFAULT 0 NOT NULL;
UPDATE sales s SET extra_fee_cents = t.fee FROM (
  SELECT seller_id, sale_id, sum(fee_cents)::int AS fee FROM charges WHERE overpaid_at IS NOT NULL OR status = 'mispaid' GROUP BY seller_id, sale_id
) t WHERE s.seller_id = t.seller_id AND s.id = t.sale_id AND t.fee <> 0;
ALTER TABLE products ADD COLUMN last_file_url text;
ALTER TABLE order_bumps ADD COLUMN last_file_url text;
ALTER TABLE upsells ADD COLUMN last_file_url text;
UPDATE products SET last_file_url = file_url WHERE file_url IS NOT NULL;
UPDATE order_bumps SET last_file_url = file_url WHERE file_url IS NOT NULL;
UPDATE upsells SET last_file_url = file_url WHERE file_url IS NOT NULL;
CREATE INDEX "charges_unchecked_idx" ON "charges" USING btree ("expires_at") WHERE status = 'open' and next_check_at is null;
CREATE INDEX "mails_corrected_idx" ON "mails" USING btree ("recipient") WHERE kind = 'email-corrected';
CREATE INDEX "sellers_unconfirmed_idx" ON "sellers" USING btree ("created_at") WHERE email_verified_at is null and closed_at is null and anonymized_at is null;
UPDATE mails SET idempotency_key = kind || '/' || id WHERE kind IN ('shop-closed', 'shop-reopened') AND recipient = '';
