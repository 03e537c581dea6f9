import type { DesignFinding } from '../model/logical-design.ts';
import type { TestCase, TestCell, TestOperation, TestPlan, TestSet } from '../model/test-plan.ts';

/** SchemaAgent, section 4.1. */
const SETS = 10;
const OPERATIONS: readonly TestOperation[] = ['insert', 'delete', 'update', 'query'];

/**
 * What a test plan lacks of what was asked for: 10 sets, each with insert, delete, update and query; entity and
 * referential integrity violated on purpose at least once; values wherever something is written. The QA engineer is
 * asked once more with these. Empty: nothing is missing. Where nothing refers to anything (`hasReferences: false`;
 * default: true), referential integrity cannot be violated and is not asked for.
 */
export function planFindings(
  plan: TestPlan,
  { hasReferences = true }: { readonly hasReferences?: boolean | undefined } = {},
): readonly DesignFinding[] {
  return [...setFindings(plan), ...violationFindings(plan, hasReferences), ...plan.sets.flatMap(caseFindings)];
}

function setFindings({ sets }: TestPlan): DesignFinding[] {
  const findings: DesignFinding[] = [];
  if (sets.length !== SETS)
    findings.push(
      finding(
        'plan-set-count',
        sets.length < SETS ? 'error' : 'warning',
        'plan',
        `The plan has ${sets.length} sets of cases, and ${SETS} were asked for.`,
        sets.length < SETS
          ? `Add ${SETS - sets.length}, about subjects and rules that no set covers yet.`
          : 'Leave the least telling ones out.',
      ),
    );
  for (const [at, { cases }] of sets.entries()) {
    const missing = OPERATIONS.filter((operation) => !cases.some((testCase) => testCase.operation === operation));
    if (missing.length > 0)
      findings.push(
        finding(
          'set-without-operation',
          'error',
          `set ${at + 1}`,
          `Set ${at + 1} has no ${missing.join(', no ')}.`,
          'Give each set at least one insert, one delete, one update and one query.',
        ),
      );
  }
  return findings;
}

function violationFindings({ sets }: TestPlan, hasReferences: boolean): DesignFinding[] {
  const cases = sets.flatMap((set) => set.cases);
  return (['entity integrity', 'referential integrity'] as const).flatMap((constraint) =>
    (constraint === 'referential integrity' && !hasReferences) ||
    cases.some(({ expected }) => expected.outcome === 'rejected' && expected.by === constraint)
      ? []
      : finding(
          'constraint-not-violated',
          'error',
          constraint,
          `No case violates ${constraint} on purpose.`,
          constraint === 'entity integrity'
            ? 'Insert a row whose key is there already, or is null, and expect it to be rejected by entity integrity.'
            : 'Insert a row that refers to one that is not there, or delete one that is referred to, and expect it to be rejected by referential integrity.',
        ),
  );
}

function caseFindings({ given, cases }: TestSet, set: number): DesignFinding[] {
  const findings: DesignFinding[] = [];
  for (const [at, { target, values }] of given.entries()) {
    const subject = `set ${set + 1}, given row ${at + 1}`;
    if (values.length === 0) findings.push(withoutValues(subject));
    findings.push(...nameFindings(subject, target, [values]));
  }
  for (const [at, testCase] of cases.entries()) {
    const subject = `set ${set + 1}, case ${at + 1}`;
    const { operation, target, values, where, expected } = testCase;
    if ((operation === 'insert' || operation === 'update') && values.length === 0)
      findings.push(withoutValues(subject));
    findings.push(...expectationFindings(subject, testCase));
    findings.push(
      ...nameFindings(subject, target, [values, where, ...(expected.outcome === 'rows' ? expected.rows : [])]),
    );
  }
  return findings;
}

function expectationFindings(subject: string, { operation, values, expected }: TestCase): DesignFinding[] {
  if (operation !== 'query' && expected.outcome === 'rows')
    return [
      finding(
        'expectation-not-possible',
        'error',
        subject,
        `Rows are expected of ${operation}, which gives none.`,
        'Expect it to be accepted or rejected, and query the rows in a case behind it.',
      ),
    ];
  if (operation === 'query' && expected.outcome !== 'rows')
    return [
      finding(
        'expectation-not-possible',
        'error',
        subject,
        `A query is expected to be ${expected.outcome}; what it finds is not compared with anything.`,
        'Expect the rows that it must find; an empty list where it must find none.',
      ),
    ];
  const names = expected.outcome === 'rows' ? [...values, ...expected.rows.flat()] : values;
  return operation === 'query' && names.length === 0
    ? [
        finding(
          'query-without-attributes',
          'error',
          subject,
          'The query asks for no attribute.',
          'Name the attributes asked for, with null values.',
        ),
      ]
    : [];
}

function nameFindings(subject: string, target: string, rows: readonly (readonly TestCell[])[]): DesignFinding[] {
  const findings: DesignFinding[] = [];
  if (target.trim() === '' || rows.some((cells) => cells.some(({ attribute }) => attribute.trim() === '')))
    findings.push(
      finding(
        'name-empty',
        'error',
        subject,
        'A target or an attribute has no name.',
        'Name subjects and attributes in the words of the report.',
      ),
    );
  const repeated = rows.flatMap((cells) => {
    const names = cells.map(({ attribute }) => attribute);
    return names.filter((name, at) => names.indexOf(name) !== at);
  });
  if (repeated[0] !== undefined)
    findings.push(
      finding(
        'attribute-repeated',
        'error',
        subject,
        `${JSON.stringify(repeated[0])} stands twice in one row.`,
        'Give each attribute one value.',
      ),
    );
  return findings;
}

function withoutValues(subject: string): DesignFinding {
  return finding(
    'values-missing',
    'error',
    subject,
    'Something is to be written, and no values are given.',
    'Give a value for each attribute of the row.',
  );
}

function finding(
  code: string,
  severity: DesignFinding['severity'],
  subject: string,
  message: string,
  remedy: string,
): DesignFinding {
  return { code, severity, subject, message, remedy, role: 'qa-engineer' };
}
