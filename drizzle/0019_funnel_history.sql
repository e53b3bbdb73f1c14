-- What was sold before is counted from the sales, day by day, by refresh-reports.
INSERT INTO funnel_marks (seller_id, day)
SELECT seller_id, day FROM report_days WHERE dimension = 'all'
UNION SELECT seller_id, day FROM report_marks;
