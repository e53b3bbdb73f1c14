ALTER TABLE "sales" ADD COLUMN "extra_net_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- What remains of a sale's payments that do not count; says what `paymentsOf` says of each. Its writers hold the sale's lock.
CREATE FUNCTION sum_extra_payments(of_sale uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE sales s SET extra_net_cents = t.net FROM (
    SELECT coalesce(sum(c.paid_cents - coalesce(c.fee_cents, 0) - coalesce(
      (SELECT sum(r.amount_cents) FROM refunds r WHERE r.charge_id = c.id AND r.status = 'done'), 0)), 0)::int AS net
    FROM charges c WHERE c.sale_id = of_sale AND (c.surplus_at IS NOT NULL OR c.status = 'mispaid')
  ) t WHERE s.id = of_sale AND s.extra_net_cents <> t.net
$$;--> statement-breakpoint
CREATE FUNCTION sum_extra_of_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sum_extra_payments(new.sale_id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION sum_extra_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sum_extra_payments(c.sale_id) FROM charges c
  WHERE c.id = new.charge_id AND (c.surplus_at IS NOT NULL OR c.status = 'mispaid');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER sum_extra_new AFTER INSERT ON charges FOR EACH ROW
WHEN (new.surplus_at IS NOT NULL OR new.status = 'mispaid') EXECUTE FUNCTION sum_extra_of_charge();--> statement-breakpoint
CREATE TRIGGER sum_extra AFTER UPDATE OF status, surplus_at, paid_cents, fee_cents ON charges FOR EACH ROW
WHEN (new.surplus_at IS NOT NULL OR new.status = 'mispaid' OR old.surplus_at IS NOT NULL OR old.status = 'mispaid')
EXECUTE FUNCTION sum_extra_of_charge();--> statement-breakpoint
CREATE TRIGGER sum_extra_new AFTER INSERT ON refunds FOR EACH ROW
WHEN (new.status = 'done') EXECUTE FUNCTION sum_extra_of_refund();--> statement-breakpoint
CREATE TRIGGER sum_extra AFTER UPDATE OF status, amount_cents ON refunds FOR EACH ROW
WHEN (new.status = 'done') EXECUTE FUNCTION sum_extra_of_refund();--> statement-breakpoint
CREATE TRIGGER mark_sale_extra AFTER UPDATE OF extra_net_cents ON sales FOR EACH ROW
WHEN (old.extra_net_cents <> new.extra_net_cents) EXECUTE FUNCTION mark_sale();--> statement-breakpoint
-- Those there are.
SELECT sum_extra_payments(x.sale_id) FROM (
  SELECT DISTINCT c.sale_id FROM charges c WHERE c.surplus_at IS NOT NULL OR c.status = 'mispaid') x;
