const OPENING = /['"`()]|\border\b/gi;

/** Whether a statement orders its own rows: it has ORDER BY outside of parentheses and quotes. */
export function ordersItsRows(sql: string): boolean {
  let depth = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(sql); found !== null; found = OPENING.exec(sql)) {
    const [text] = found;
    if (text === '(') depth += 1;
    else if (text === ')') depth -= 1;
    else if (text.length === 1) {
      const close = sql.indexOf(text, OPENING.lastIndex);
      if (close === -1) return false;
      OPENING.lastIndex = close + 1;
    } else if (depth === 0 && /^\s+by\b/i.test(sql.slice(OPENING.lastIndex, OPENING.lastIndex + 40))) return true;
  }
  return false;
}
