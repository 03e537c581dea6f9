/**
 * A statement of so many steps, each a CTE with joins, filters, a grouping and a window, as analysts write them; about
 * 400 characters a step.
 */
export function pipeline(steps: number): string {
  const ctes = Array.from({ length: steps }, (_, at) => {
    const before = at === 0 ? 'shop.public.orders' : `step_${at - 1}`;
    return `step_${at} AS (
  SELECT o.customer_id, c.country, SUM(o.amount) AS amount, COUNT(DISTINCT o.day) AS days,
    ROW_NUMBER() OVER (PARTITION BY c.country ORDER BY SUM(o.amount) DESC) AS place
  FROM ${before} o
  JOIN shop.public.customers_${at} c ON c.id = o.customer_id
  LEFT JOIN shop.public.regions r ON r.country = c.country AND r.year = ${2_000 + at}
  WHERE o.amount > ${at} AND c.country IN ('NO', 'SE', 'DK') AND (r.area IS NULL OR r.area BETWEEN 10 AND 20)
  GROUP BY o.customer_id, c.country
  HAVING COUNT(*) > 1
)`;
  });
  return `WITH ${ctes.join(',\n')}\nSELECT * FROM step_${steps - 1} ORDER BY amount DESC LIMIT 10`;
}
