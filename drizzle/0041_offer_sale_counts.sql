CREATE TABLE "offer_sale_counts" (
	"upsell_offer_id" bigint NOT NULL,
	"shard" integer NOT NULL,
	"completed" integer NOT NULL,
	CONSTRAINT "offer_sale_counts_upsell_offer_id_shard_pk" PRIMARY KEY("upsell_offer_id","shard")
);
--> statement-breakpoint
ALTER TABLE "offer_sale_counts" ADD CONSTRAINT "offer_sale_counts_upsell_offer_id_upsell_offers_id_fk" FOREIGN KEY ("upsell_offer_id") REFERENCES "public"."upsell_offers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE FUNCTION add_offer_sale(of_offer bigint, change int) RETURNS void LANGUAGE sql AS $$
  -- An offer that is being deleted is left out.
  INSERT INTO offer_sale_counts AS c (upsell_offer_id, shard, completed)
  SELECT id, pg_backend_pid() % 16, change FROM upsell_offers WHERE id = of_offer FOR KEY SHARE
  ON CONFLICT (upsell_offer_id, shard) DO UPDATE SET completed = c.completed + excluded.completed
$$;--> statement-breakpoint
CREATE FUNCTION count_offer_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_offer_sale(l.upsell_offer_id, CASE new.status WHEN 'completed' THEN 1 ELSE -1 END)
  FROM sale_lines l WHERE l.sale_id = new.id AND l.upsell_offer_id IS NOT NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION count_offer_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_offer_sale(new.upsell_offer_id, 1) FROM sales s WHERE s.id = new.sale_id AND s.status = 'completed';
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER count_offer_sale AFTER UPDATE OF status ON sales FOR EACH ROW
WHEN ((old.status = 'completed') <> (new.status = 'completed') AND new.parent_sale_id IS NOT NULL)
EXECUTE FUNCTION count_offer_sale();--> statement-breakpoint
CREATE TRIGGER count_offer_line AFTER INSERT ON sale_lines FOR EACH ROW
WHEN (new.upsell_offer_id IS NOT NULL) EXECUTE FUNCTION count_offer_line();
