ALTER TABLE "charge_events" DROP CONSTRAINT "charge_events_kind_check";--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "dismissed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "charge_events" ADD CONSTRAINT "charge_events_kind_check" CHECK ("charge_events"."kind" in ('requested', 'made', 'asked', 'unanswered', 'paid', 'surplus', 'mispaid', 'expired', 'cancelled', 'failed', 'refund_requested', 'refund_accepted', 'refund_refused', 'refund_unconfirmed', 'refund_done', 'refund_withdrawn', 'not_returned')) NOT VALID;--> statement-breakpoint
ALTER TABLE "charge_events" VALIDATE CONSTRAINT "charge_events_kind_check";--> statement-breakpoint
-- As before, and since when a refused refund waits, which its seller may dismiss.
CREATE OR REPLACE FUNCTION set_action_since(of_sale uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM sales WHERE id = of_sale FOR NO KEY UPDATE;
  UPDATE sales s SET action_since = t.since FROM (
    SELECT max(CASE WHEN r.status = 'unconfirmed' THEN r.ended_at
      WHEN c.surplus_at IS NOT NULL OR c.status = 'mispaid' THEN c.paid_at
      WHEN r.status = 'refused' THEN r.ended_at END) AS since
    FROM charges c LEFT JOIN LATERAL (
      SELECT CASE WHEN dismissed_at IS NULL THEN status END AS status, ended_at
      FROM refunds WHERE charge_id = c.id ORDER BY requested_at DESC, id DESC LIMIT 1) r ON true
    WHERE c.sale_id = of_sale AND c.paid_cents > coalesce(
      (SELECT sum(d.amount_cents) FROM refunds d WHERE d.charge_id = c.id AND d.status = 'done'), 0)
      AND NOT EXISTS (SELECT FROM refunds p WHERE p.charge_id = c.id AND p.status = 'pending')
  ) t WHERE s.id = of_sale AND s.action_since IS DISTINCT FROM t.since;
END $$;--> statement-breakpoint
CREATE TRIGGER set_action_dismissed AFTER UPDATE OF dismissed_at ON refunds FOR EACH ROW
EXECUTE FUNCTION set_action_of_refund();--> statement-breakpoint
-- Those there are.
SELECT set_action_since(x.sale_id) FROM (
  SELECT DISTINCT c.sale_id FROM refunds r INNER JOIN charges c ON c.id = r.charge_id WHERE r.status = 'refused'
) x ORDER BY x.sale_id;
