import { type ChatMessage, type RoleProfile, withoutRoles } from '@askema/core';
import type { DesignSettings, DesignState } from '../design-state.ts';
import type { SchemaRole } from '../model/index.ts';
import { ROLE_PROFILES } from '../profiles/role-profiles.ts';
import type { RoleTurnInput } from '../tasks/index.ts';

/** The name of the outer chat; its rounds are those of the outcome. */
export const OUTER_CHAT = 'schema-agent';

/** The name of the nested chat of the conceptual designer and reviewer. */
export const NESTED_CHAT = 'conceptual-design';

/**
 * What a role reads beside what its task is about. A requirement of several parts is left to the report; where there is
 * no report, its first part stands for it, and a warning of the run says so.
 */
export function roleTurnOf(
  state: Readonly<DesignState>,
  visible: readonly ChatMessage[],
  role: SchemaRole,
): RoleTurnInput {
  const { report } = state.artefacts;
  const isLong = state.parts.length > 1;
  return {
    requirement: isLong && report !== undefined ? undefined : state.parts[0],
    report,
    messages: messagesFor(visible, role),
    absentRoles: absentRoles(state.settings),
  };
}

/** Complaints that were answered are only shown beside one that is open: alone, they would look like it. */
function messagesFor(visible: readonly ChatMessage[], role: SchemaRole): readonly ChatMessage[] {
  if (openFeedback(visible, role).length > 0) return visible;
  return visible.filter(({ from, kind }) => from === role || kind !== 'feedback');
}

/** The roles that a run leaves out. */
export function absentRoles({ preset, productManager, reviewer, tests }: RolesPresent): readonly SchemaRole[] {
  if (preset === 'tested') {
    const executor = tests || reviewer ? [] : (['test-executor'] as const);
    const others = absentRoles({ preset: 'paper', productManager, reviewer, tests: true });
    return ['conceptual-designer', ...others, ...(tests ? [] : (['qa-engineer'] as const)), ...executor];
  }
  return [
    ...(productManager ? [] : (['product-manager'] as const)),
    ...(reviewer ? [] : (['conceptual-reviewer'] as const)),
    ...(tests ? [] : (['qa-engineer', 'test-executor'] as const)),
  ];
}

type RolesPresent = Pick<DesignSettings, 'preset' | 'productManager' | 'reviewer' | 'tests'>;

/** The complaints that a role has to answer: those addressed to it since it spoke last. */
export function openFeedback(visible: readonly ChatMessage[], role: string): readonly ChatMessage[] {
  const last = visible.findLastIndex(({ from }) => from === role);
  return visible.slice(last + 1).filter(({ kind, from }) => kind === 'feedback' && from !== role);
}

/** Rounds of the outer chat behind the turn that is being spoken. The nested chat has counted its own on entry. */
export function roundsLeft(state: Readonly<DesignState>, isNested: boolean): number {
  return state.settings.maxRounds - (state.chat.rounds[OUTER_CHAT] ?? 0) - (isNested ? 0 : 1);
}

/**
 * Rounds from a complaint to the next verdict, the turn of the role complained to included. A complaint for which there
 * are not enough rounds would end in no design at all, or in one that nobody tested.
 */
export function roundsToVerdict(
  state: Readonly<DesignState>,
  complainedTo: 'product-manager' | 'conceptual-designer' | 'logical-designer',
): number {
  const designing = { 'product-manager': 3, 'conceptual-designer': 2, 'logical-designer': 1 }[complainedTo];
  if (!state.settings.tests) return designing;
  return designing + (complainedTo !== 'product-manager' && hasCurrentPlan(state) ? 1 : 2);
}

/** True when there are tests that were made from the report as it is. */
export function hasCurrentPlan({ artefacts, plannedFor }: Readonly<DesignState>): boolean {
  return artefacts.testPlan !== undefined && plannedFor === JSON.stringify(artefacts.report ?? null);
}

/** The profile of a role in a chat in which some roles do not take part. */
export function profileOf(role: SchemaRole, absent: readonly SchemaRole[]): RoleProfile {
  return withoutRoles(ROLE_PROFILES[role], absent);
}
