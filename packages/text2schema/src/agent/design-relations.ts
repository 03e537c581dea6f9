import type { ChatToolCall, JsonValue, Solver, StepContext } from '@askema/core';
import { type DesignDeps, showPhase } from '../design-deps.ts';
import { editedDesign } from '../mapping/check-design.ts';
import { mapToRelations } from '../mapping/index.ts';
import type {
  ConceptualModel,
  DesignArtefacts,
  DesignFinding,
  LogicalDesign,
  LogicalProposal,
} from '../model/index.ts';
import { type LogicalComplaint, logicalDesignTask, type RoleTurnInput } from '../tasks/index.ts';
import { designText, findingsText } from '../texts/index.ts';

/** What a turn of the logical designer works on. */
export interface LogicalWork {
  readonly turn: RoleTurnInput;
  readonly model: ConceptualModel;
  /** True when nobody was shown this model yet. */
  readonly isNewModel: boolean;
  /** The proposal of the turn before. */
  readonly before: LogicalProposal | undefined;
  readonly mayComplain: boolean;
  /** How often each thing was complained of. */
  readonly complaints: Readonly<Record<string, number>>;
  readonly explicitConstraints: boolean;
  readonly artefacts: DesignArtefacts;
}

/** What came of it. */
export interface LogicalWorkDone {
  readonly model: ConceptualModel;
  readonly proposal: LogicalProposal;
  readonly design: LogicalDesign;
  readonly complaints: readonly LogicalComplaint[];
  /** Where it goes back to the conceptual designer. */
  readonly sentBack: SentBack | undefined;
  readonly next: string | null;
  readonly toolCalls: readonly ChatToolCall[];
}

/** Complaints of the model and findings of the tools that only the conceptual model can mend. */
interface SentBack {
  readonly complaints: readonly LogicalComplaint[];
  readonly findings: readonly DesignFinding[];
  /** By which they are counted. */
  readonly keys: readonly string[];
}

/** Proposals of one turn: the first, and corrections after the tools have shown what they make of it. */
const MAX_PROPOSALS = 3;

/**
 * The same complaint is sent back so often at most: a designer that does not mend it at the second time will not at the
 * third.
 */
const MAX_SAME_COMPLAINTS = 2;

/**
 * Has a proposal made, shows what the tools make of it, and has it corrected (thought, action, observation). Ends when
 * the designer keeps it, when it has to go back, or with the last correction.
 */
export async function designRelations(
  work: LogicalWork,
  solver: Solver,
  context: StepContext<DesignDeps>,
): Promise<LogicalWorkDone> {
  const model = await shownModel(work, context);
  const toDesign = (proposal: LogicalProposal) =>
    mapToRelations(model, proposal, { explicitConstraints: work.explicitConstraints });
  const toolCalls: ChatToolCall[] = [];
  let proposal = work.before;
  let design = proposal === undefined ? undefined : toDesign(proposal);
  for (let turn = 1; ; turn += 1) {
    const observed = proposal === undefined || design === undefined ? undefined : { proposal, design };
    const input = { ...work.turn, model, observed, mayComplain: work.mayComplain };
    const { value } = await solver.solve(logicalDesignTask, input, context);
    if (value.proposal !== undefined || observed === undefined) {
      proposal = value.proposal ?? { sets: [] };
      design = toDesign(proposal);
      toolCalls.push(observation(value.thinking, proposal, design));
    }
    const made = { proposal: proposal ?? { sets: [] }, design: design ?? toDesign({ sets: [] }) };
    const sentBack = sentBackOf(work, value, made.design);
    const isKept = value.proposal === undefined && observed !== undefined;
    // The tools' own errors are shown to the designer first, unless they are none of its own.
    if (sentBack === undefined && !isKept && turn < MAX_PROPOSALS) continue;
    const { complaints, next } = value;
    const shown = sentBack === undefined ? await shownDesign(work, model, made.design, context) : made.design;
    return { ...made, design: shown, model, complaints, sentBack, next, toolCalls };
  }
}

async function shownModel(work: LogicalWork, context: StepContext<DesignDeps>): Promise<ConceptualModel> {
  if (!work.isNewModel) return work.model;
  const shown = await showPhase(context, 'conceptual', { ...work.artefacts, conceptual: work.model });
  return shown.conceptual ?? work.model;
}

async function shownDesign(
  work: LogicalWork,
  conceptual: ConceptualModel,
  design: LogicalDesign,
  context: StepContext<DesignDeps>,
): Promise<LogicalDesign> {
  const shown = await showPhase(context, 'logical', { ...work.artefacts, conceptual, design });
  const edited = shown.design ?? design;
  return JSON.stringify(edited) === JSON.stringify(design) ? design : editedDesign(edited);
}

function observation(thought: string, proposal: LogicalProposal, design: LogicalDesign): ChatToolCall {
  const { findings } = design;
  const text = [designText(design), ...(findings.length === 0 ? [] : ['Findings:', findingsText(findings)])].join('\n');
  const failed = findings.some(({ severity }) => severity === 'error');
  return { tool: 'decompose', thought, input: proposal as unknown as JsonValue, observation: text, failed };
}

function sentBackOf(
  work: LogicalWork,
  said: { readonly complaints: readonly LogicalComplaint[]; readonly next: string | null },
  design: LogicalDesign,
): SentBack | undefined {
  if (!work.mayComplain) return undefined;
  const isNew = (key: string) => (work.complaints[key] ?? 0) < MAX_SAME_COMPLAINTS;
  const named = said.next === 'conceptual-designer' ? said.complaints : [];
  const complaints = named.filter((complaint) => isNew(complaintKey(complaint)));
  const findings = design.findings.filter(
    (finding) => finding.severity === 'error' && finding.role === 'conceptual-designer' && isNew(findingKey(finding)),
  );
  if (complaints.length === 0 && findings.length === 0) return undefined;
  return { complaints, findings, keys: [...new Set([...complaints.map(complaintKey), ...findings.map(findingKey)])] };
}

function complaintKey({ subject }: LogicalComplaint): string {
  return `said:${subject.trim().toLowerCase()}`;
}

function findingKey({ code, subject }: DesignFinding): string {
  return `${code}:${subject.trim().toLowerCase()}`;
}
