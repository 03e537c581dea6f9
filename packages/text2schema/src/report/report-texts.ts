import type { Cardinality } from '../model/conceptual-model.ts';
import type { DesignOutcome, StrategyName } from '../model/design-outcome.ts';
import type { RequirementTest } from '../model/requirement-test.ts';
import type { SchemaRole } from '../model/role-id.ts';
import type { CaseResult, TestOperation } from '../model/test-plan.ts';
import { REPORT_TEXTS_EN } from './report-texts-en.ts';
import { REPORT_TEXTS_ZH } from './report-texts-zh.ts';

/** Every sentence of the Markdown report, in one language. Arguments are Markdown already. */
export interface ReportTexts {
  readonly untitled: string;
  readonly headings: Readonly<
    Record<
      | 'notFinished'
      | 'requirement'
      | 'clarifications'
      | 'assumptions'
      | 'report'
      | 'conceptual'
      | 'logical'
      | 'certificate'
      | 'diagram'
      | 'ddl'
      | 'tests'
      | 'counterExamples'
      | 'planted'
      | 'course'
      | 'cost'
      | 'warnings',
      string
    >
  >;
  readonly columns: Readonly<
    Record<
      | 'subject'
      | 'attributes'
      | 'description'
      | 'entitySet'
      | 'relationshipSet'
      | 'participants'
      | 'attribute'
      | 'type'
      | 'key'
      | 'references'
      | 'constraints'
      | 'round'
      | 'from'
      | 'to'
      | 'what'
      | 'passed'
      | 'failed'
      | 'notCompiled'
      | 'notRun'
      | 'noPlace'
      | 'test'
      | 'kind'
      | 'says'
      | 'became',
      string
    >
  >;
  /** One line below the title. */
  readonly status: Readonly<Record<'accepted' | 'notAccepted', string>> &
    Readonly<Record<Exclude<DesignOutcome['type'], 'designed'>, string>>;
  readonly roles: Readonly<Record<SchemaRole | 'user' | 'all', string>>;
  readonly strategies: Readonly<Record<StrategyName, string>>;
  readonly operations: Readonly<Record<TestOperation, string>>;
  readonly statuses: Readonly<Record<CaseResult['status'], string>>;
  readonly testKinds: Readonly<Record<RequirementTest['kind'], string>>;
  readonly cardinalities: Readonly<Record<Cardinality, string>>;
  readonly kinds: Readonly<Record<'ambiguity' | 'contradiction', string>>;
  readonly labels: Readonly<
    Record<
      | 'functions'
      | 'subjects'
      | 'relationships'
      | 'rules'
      | 'quotes'
      | 'assumption'
      | 'answer'
      | 'expected'
      | 'actual'
      | 'mendedBy'
      | 'remedy'
      | 'reason'
      | 'candidateKeys'
      | 'dependencies'
      | 'normalForm'
      | 'madeFrom'
      | 'absorbed'
      | 'openFindings'
      | 'openErrors'
      | 'primaryKey'
      | 'foreignKeys'
      | 'notNull'
      | 'unique'
      | 'noPlace',
      string
    >
  >;
  readonly none: string;
  readonly missingPhases: (phases: readonly string[]) => string;
  readonly openQuestions: string;
  readonly allKey: string;
  readonly normalFormCut: string;
  readonly noDependencies: string;
  /** What a certificate proves, for the relations that a set became. */
  readonly proved: (set: string, relations: readonly string[]) => string;
  readonly notProved: (set: string) => string;
  readonly ddlImpossible: (reason: string) => string;
  readonly noRun: string;
  readonly ranOn: (dialect: string) => string;
  readonly ranInMemory: string;
  readonly planted: (planted: number, noticed: number) => string;
  readonly unnoticed: string;
  readonly allPassed: string;
  readonly caseTitle: (set: string, number: number, operation: string) => string;
  readonly givenTitle: (set: string) => string;
  readonly messages: (count: number, rounds: number) => string;
  readonly noCorrections: string;
  readonly corrections: string;
  readonly moreCorrections: (count: number) => string;
  readonly cost: (calls: number, seconds: string, strategy: string) => string;
  readonly tokens: (input: string, output: string) => string;
  readonly unknown: string;
  readonly solvedBy: (names: string) => string;
  readonly runId: (id: string) => string;
  /** Between the items of a line. */
  readonly comma: string;
  readonly colon: string;
}

/** Texts in the language of a BCP 47 tag; English where there are none. */
export function reportTexts(language: string): ReportTexts {
  return /^zh(?:$|[-_])/i.test(language) ? REPORT_TEXTS_ZH : REPORT_TEXTS_EN;
}
