-- Those from before: one statement sees sales and counts as of one moment, so that what is counted meanwhile is counted once.
INSERT INTO offer_sale_counts (upsell_offer_id, shard, completed)
SELECT o.id, -1, n.completed - coalesce((SELECT sum(c.completed) FROM offer_sale_counts c WHERE c.upsell_offer_id = o.id), 0)
FROM upsell_offers o CROSS JOIN LATERAL (
  SELECT count(*)::int AS completed FROM sale_lines l INNER JOIN sales s ON s.id = l.sale_id
  WHERE l.upsell_offer_id = o.id AND s.status = 'completed') n
WHERE n.completed > 0;
