ALTER TABLE "payment_webhooks" ADD COLUMN "seller_id" uuid;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "action_since" timestamp (3) with time zone;--> statement-breakpoint
-- Until every process of the version before has stopped.
CREATE FUNCTION name_webhook_seller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT s.seller_id INTO new.seller_id FROM charges c INNER JOIN sales s ON s.id = c.sale_id WHERE c.id = new.charge_id;
  RETURN new;
END $$;--> statement-breakpoint
CREATE TRIGGER name_seller BEFORE INSERT ON payment_webhooks FOR EACH ROW
WHEN (new.seller_id IS NULL AND new.charge_id IS NOT NULL) EXECUTE FUNCTION name_webhook_seller();--> statement-breakpoint
UPDATE payment_webhooks w SET seller_id = s.seller_id FROM charges c INNER JOIN sales s ON s.id = c.sale_id
WHERE w.handled_at IS NULL AND w.seller_id IS NULL AND c.id = w.charge_id;--> statement-breakpoint
-- Since when money of a sale waits for its seller; says what `handsOf` says of its charges. The last of its writers is right.
CREATE FUNCTION set_action_since(of_sale uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM sales WHERE id = of_sale FOR NO KEY UPDATE;
  UPDATE sales s SET action_since = t.since FROM (
    SELECT max(CASE WHEN r.status = 'unconfirmed' THEN r.ended_at
      WHEN c.surplus_at IS NOT NULL OR c.status = 'mispaid' THEN c.paid_at END) AS since
    FROM charges c LEFT JOIN LATERAL (
      SELECT status, ended_at FROM refunds WHERE charge_id = c.id ORDER BY requested_at DESC, id DESC LIMIT 1) r ON true
    WHERE c.sale_id = of_sale AND c.paid_cents > coalesce(
      (SELECT sum(d.amount_cents) FROM refunds d WHERE d.charge_id = c.id AND d.status = 'done'), 0)
      AND NOT EXISTS (SELECT FROM refunds p WHERE p.charge_id = c.id AND p.status = 'pending')
  ) t WHERE s.id = of_sale AND s.action_since IS DISTINCT FROM t.since;
END $$;--> statement-breakpoint
CREATE FUNCTION set_action_of_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_action_since(new.sale_id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION set_action_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_action_since(c.sale_id) FROM charges c WHERE c.id = new.charge_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER set_action_new AFTER INSERT ON charges FOR EACH ROW
WHEN (new.surplus_at IS NOT NULL OR new.status = 'mispaid') EXECUTE FUNCTION set_action_of_charge();--> statement-breakpoint
CREATE TRIGGER set_action AFTER UPDATE OF status, surplus_at, paid_cents, paid_at ON charges FOR EACH ROW
WHEN (new.surplus_at IS NOT NULL OR new.status = 'mispaid' OR old.surplus_at IS NOT NULL OR old.status = 'mispaid')
EXECUTE FUNCTION set_action_of_charge();--> statement-breakpoint
CREATE TRIGGER set_action_new AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION set_action_of_refund();--> statement-breakpoint
CREATE TRIGGER set_action AFTER UPDATE OF status, amount_cents, ended_at ON refunds FOR EACH ROW
EXECUTE FUNCTION set_action_of_refund();--> statement-breakpoint
-- Those there are.
SELECT set_action_since(x.sale_id) FROM (
  SELECT DISTINCT c.sale_id FROM charges c WHERE c.surplus_at IS NOT NULL OR c.status = 'mispaid'
  UNION SELECT c.sale_id FROM refunds r INNER JOIN charges c ON c.id = r.charge_id WHERE r.status = 'unconfirmed'
) x ORDER BY x.sale_id;
