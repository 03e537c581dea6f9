/**
 * A statement of so many CTEs, each of which reads the one before; strings and comments hold brackets and words that
 * mean nothing.
 */
export function chainOfCtes(count: number): string {
  const ctes = Array.from(
    { length: count },
    (_, at) =>
      `step_${at} AS (\n  SELECT id, amount * ${at + 1} AS amount, 'WITH x AS (' AS note -- (\n  FROM ${at === 0 ? 'orders' : `step_${at - 1}`}\n  WHERE state IN ('paid', 'sent) late') AND amount > ${at}\n)`,
  );
  return `WITH ${ctes.join(',\n')}\nSELECT * FROM step_${count - 1}`;
}

/** As many WITHs inside of each other. */
export function nestedCtes(depth: number): string {
  let sql = 'SELECT 1 AS n';
  for (let at = 0; at < depth; at += 1) sql = `WITH a${at} AS (${sql}) SELECT * FROM a${at}`;
  return sql;
}
