/**
 * Whether an expression, as PostgreSQL stores it (pg_node_tree), calls a function or an operator on constants alone:
 * such calls the planner computes while it looks at the table.
 *
 * @param id of the function or the operator.
 */
export function hasConstantCall(expression: string, id: string): boolean {
  for (const { index } of expression.matchAll(new RegExp(`:(?:funcid|opno|opfuncid) ${id}\\b`, 'g'))) {
    const start = expression.lastIndexOf('{', index);
    if (!/\{(?:VAR|COERCETODOMAINVALUE) /.test(expression.slice(start, endOf(expression, start)))) return true;
  }
  return false;
}

/** Behind the bracket that closes the one at `start`; a backslash takes the next character as it is. */
function endOf(expression: string, start: number): number {
  let depth = 0;
  for (let at = start; at < expression.length; at += 1) {
    const character = expression[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return expression.length;
}
