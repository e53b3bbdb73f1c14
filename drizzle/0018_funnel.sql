CREATE TABLE "funnel_marks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "funnel_marks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seller_id" uuid NOT NULL,
	"day" date NOT NULL
);
--> statement-breakpoint
CREATE TABLE "funnel_orders" (
	"seller_id" uuid NOT NULL,
	"split" smallint NOT NULL,
	"day" date NOT NULL,
	"product_id" bigint NOT NULL,
	"campaign" text NOT NULL,
	"device" text NOT NULL,
	"pix" integer NOT NULL,
	"paid" integer NOT NULL,
	"offers" integer NOT NULL,
	"offers_paid" integer NOT NULL,
	"reminded" integer NOT NULL,
	"recovered" integer NOT NULL,
	"recovered_cents" bigint NOT NULL,
	"in2m" integer NOT NULL,
	"in5m" integer NOT NULL,
	"in15m" integer NOT NULL,
	"in1h" integer NOT NULL,
	"in1d" integer NOT NULL,
	"in_more" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "funnel_views" (
	"seller_id" uuid NOT NULL,
	"split" smallint NOT NULL,
	"day" date NOT NULL,
	"product_id" bigint NOT NULL,
	"campaign" text NOT NULL,
	"device" text NOT NULL,
	"seen" integer NOT NULL,
	"begun" integer NOT NULL,
	CONSTRAINT "funnel_views_seller_id_split_device_day_product_id_campaign_pk" PRIMARY KEY("seller_id","split","device","day","product_id","campaign")
);
--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "funnel_orders" ADD CONSTRAINT "funnel_orders_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "funnel_views" ADD CONSTRAINT "funnel_views_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "funnel_marks_idx" ON "funnel_marks" USING btree ("seller_id","day");--> statement-breakpoint
CREATE INDEX "funnel_orders_idx" ON "funnel_orders" USING btree ("seller_id","split","device","day");--> statement-breakpoint
CREATE INDEX "funnel_orders_product_idx" ON "funnel_orders" USING btree ("seller_id","split","product_id","device","day");--> statement-breakpoint
CREATE INDEX "funnel_orders_campaign_idx" ON "funnel_orders" USING btree ("seller_id","split","campaign","device","day");--> statement-breakpoint
CREATE INDEX "funnel_views_product_idx" ON "funnel_views" USING btree ("seller_id","split","product_id","device","day");--> statement-breakpoint
CREATE INDEX "funnel_views_campaign_idx" ON "funnel_views" USING btree ("seller_id","split","campaign","device","day");--> statement-breakpoint
-- An order's day is marked when a PIX of it, or of an offer taken after it, is made or paid, and when its buyer is reminded.
CREATE FUNCTION mark_funnel(about uuid) RETURNS void LANGUAGE sql AS $$
  INSERT INTO funnel_marks (seller_id, day)
  SELECT o.seller_id, (o.created_at AT TIME ZONE 'America/Sao_Paulo')::date
  FROM sales s INNER JOIN sales o ON o.id = coalesce(s.parent_sale_id, s.id)
  WHERE s.id = about
$$;--> statement-breakpoint
CREATE FUNCTION mark_funnel_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_funnel(new.id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION mark_funnel_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_funnel(new.sale_id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION mark_funnel_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO funnel_marks (seller_id, day)
  SELECT old.seller_id, (o.created_at AT TIME ZONE 'America/Sao_Paulo')::date
  FROM (
    SELECT created_at FROM sales WHERE id = old.parent_sale_id
    UNION ALL SELECT old.created_at WHERE old.parent_sale_id IS NULL
  ) o;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER mark_funnel_gone AFTER DELETE ON sales FOR EACH ROW EXECUTE FUNCTION mark_funnel_gone();--> statement-breakpoint
CREATE TRIGGER mark_funnel_new AFTER INSERT ON sales FOR EACH ROW
WHEN (new.completed_at IS NOT NULL) EXECUTE FUNCTION mark_funnel_sale();--> statement-breakpoint
CREATE TRIGGER mark_funnel AFTER UPDATE OF completed_at ON sales FOR EACH ROW
WHEN (old.completed_at IS DISTINCT FROM new.completed_at) EXECUTE FUNCTION mark_funnel_sale();--> statement-breakpoint
CREATE TRIGGER mark_funnel_new AFTER INSERT ON charges FOR EACH ROW
WHEN (new.provider_id IS NOT NULL) EXECUTE FUNCTION mark_funnel_part();--> statement-breakpoint
CREATE TRIGGER mark_funnel AFTER UPDATE OF provider_id ON charges FOR EACH ROW
WHEN (old.provider_id IS NULL AND new.provider_id IS NOT NULL) EXECUTE FUNCTION mark_funnel_part();--> statement-breakpoint
CREATE TRIGGER mark_funnel_new AFTER INSERT ON mails FOR EACH ROW
WHEN (new.kind = 'reminder' AND new.sale_id IS NOT NULL AND new.sent_at IS NOT NULL) EXECUTE FUNCTION mark_funnel_part();--> statement-breakpoint
CREATE TRIGGER mark_funnel AFTER UPDATE OF sent_at ON mails FOR EACH ROW
WHEN (new.kind = 'reminder' AND new.sale_id IS NOT NULL AND old.sent_at IS NULL AND new.sent_at IS NOT NULL)
EXECUTE FUNCTION mark_funnel_part();
