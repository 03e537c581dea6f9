import {
  type ChatEnd,
  createGroupChat,
  createNestedChat,
  defineStep,
  end,
  type Flow,
  type JsonValue,
} from '@askema/core';
import type { DesignDeps } from '../design-deps.ts';
import type { DesignSettings, DesignState } from '../design-state.ts';
import { ROLE_IDS, type SchemaRole } from '../model/index.ts';
import { conceptualModelText } from '../texts/index.ts';
import { conceptualDesigner } from './conceptual-designer.ts';
import { conceptualReviewer } from './conceptual-reviewer.ts';
import { logicalDesigner } from './logical-designer.ts';
import { productManager } from './product-manager.ts';
import { qaEngineer } from './qa-engineer.ts';
import { absentRoles, NESTED_CHAT, OUTER_CHAT } from './role-turn-of.ts';
import { testExecutor } from './test-executor.ts';

export interface SchemaAgentOptions {
  readonly settings: DesignSettings;
  readonly maxInnerRounds: number;
  /** True where a model chooses the next speaker when nobody was named. */
  readonly hasAdministrator: boolean;
}

/**
 * SchemaAgent as a flow: product manager, [conceptual designer and reviewer], logical designer, QA engineer, test
 * executor, with the routes back that their profiles name (sections 4.2 and 4.3). It begins with the role that
 * `state.chat.next` names.
 */
export function schemaAgent(options: SchemaAgentOptions): Flow<DesignState, DesignDeps, ChatEnd> {
  const { settings, maxInnerRounds, hasAdministrator } = options;
  const absent = absentRoles(settings);
  const has = (role: SchemaRole) => !absent.includes(role);
  const designer = conceptualDesigner(absent);
  const nested = createNestedChat<DesignState, DesignDeps>({
    name: NESTED_CHAT,
    members: [designer, conceptualReviewer(absent)],
    maxRounds: maxInnerRounds,
    result: (state) => {
      // At an exit without an approval the best of the rejected models goes on.
      const { review, artefacts } = state;
      const rejected = review !== null && !review.approved ? review.model : undefined;
      const model = rejected ?? artefacts.conceptual ?? { entitySets: [], relationshipSets: [] };
      return { text: conceptualModelText(model), data: { model } as unknown as JsonValue };
    },
  });
  const chat = createGroupChat<DesignState, DesignDeps>({
    name: OUTER_CHAT,
    members: [
      ...(has('product-manager') ? [productManager(absent)] : []),
      has('conceptual-reviewer') ? nested : designer,
      logicalDesigner(absent),
      ...(has('qa-engineer') ? [qaEngineer(absent), testExecutor(absent)] : []),
    ],
    maxRounds: settings.maxRounds,
    forwardOnly: !settings.errorRoutes,
    administrator: hasAdministrator ? (deps) => deps.solvers.administrator : undefined,
  });
  return startingAnywhere(chat, absent);
}

/** A chat that begins with the role that has the word already: behind phases that somebody brought along. */
export function startingAnywhere(
  chat: Flow<DesignState, DesignDeps, ChatEnd>,
  absent: readonly SchemaRole[],
): Flow<DesignState, DesignDeps, ChatEnd> {
  const first = chat.graph.start;
  const nodes = [...chat.graph.nodes.keys()];
  const nodeOf = (role: SchemaRole) => (nodes.includes(role) ? role : NESTED_CHAT);
  const present = ROLE_IDS.filter((role) => !absent.includes(role) && role !== 'conceptual-reviewer');
  const begin = defineStep<DesignState, DesignDeps>()({
    name: 'begin',
    actions: [...present, 'done'],
    exec: () => null,
    post: ({ chat: { next } }) =>
      next === 'done' ? next : (present.find((role) => role === next) ?? (present[0] as SchemaRole)),
  });
  const routes = { ...Object.fromEntries(present.map((role) => [role, nodeOf(role)])), done: end('terminal') };
  const limit = chat.graph.maxSteps === undefined ? undefined : 2 * chat.graph.maxSteps;
  return chat.with({ maxSteps: limit }).before(first, begin, routes as never) as Flow<DesignState, DesignDeps, ChatEnd>;
}
