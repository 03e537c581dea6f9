/** Nodes that the planner leaves where a column is among their arguments and no argument is NULL. */
const STAYS =
  /^(?:VAR|CONST|FUNCEXPR|OPEXPR|RELABELTYPE|COERCEVIAIO|ARRAYCOERCEEXPR|COERCETODOMAIN|COERCETODOMAINVALUE|COLLATEEXPR)$/;
/** Ids below this one are the engine's own. */
const FIRST_OWN = 16_384;

/**
 * Whether an expression, as PostgreSQL stores it (pg_node_tree), calls a function or an operator on what are constants,
 * or may become some when the planner simplifies it (`coalesce(1, a)`, `true OR a`, a function in SQL): such calls the
 * planner computes while it looks at the table.
 *
 * @param id of the function or the operator.
 */
export function hasConstantCall(expression: string, id: string): boolean {
  for (const { index } of expression.matchAll(new RegExp(`:(?:funcid|opno|opfuncid) ${id}\\b`, 'g'))) {
    const start = expression.lastIndexOf('{', index);
    if (mayBeConstant(expression.slice(start, endOf(expression, start)), id)) return true;
  }
  return false;
}

function mayBeConstant(call: string, id: string): boolean {
  const nodes = [...call.matchAll(/(?<!\\)\{([A-Z_]+)/g)].map(([, kind = '']) => kind);
  if (!nodes.includes('VAR') && !nodes.includes('COERCETODOMAINVALUE')) return true;
  if (nodes.some((kind) => !STAYS.test(kind)) || call.includes(':constisnull true')) return true;
  return [...call.matchAll(/:(?:funcid|opfuncid) (\d+)/g)].some(
    ([, called]) => called !== id && Number(called) >= FIRST_OWN,
  );
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
