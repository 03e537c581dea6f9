import { checkDesign } from '../mapping/index.ts';
import type { LogicalDesign } from '../model/index.ts';

/** A design that came from a person: its errors are found anew, because they may be mended, or new. */
export function editedDesign(design: LogicalDesign): LogicalDesign {
  const warnings = design.findings.filter(({ severity }) => severity !== 'error');
  return { ...design, findings: [...warnings, ...checkDesign(design)] };
}
