import { type ChatEnd, createGroupChat, type Flow } from '@askema/core';
import type { DesignDeps } from '../../design-deps.ts';
import type { DesignState } from '../../design-state.ts';
import { productManager } from '../product-manager.ts';
import { absentRoles, OUTER_CHAT } from '../role-turn-of.ts';
import { type SchemaAgentOptions, startingAnywhere } from '../schema-agent.ts';
import { attacker } from './attacker.ts';
import { draftDesigner } from './draft-designer.ts';
import { independentTester } from './independent-tester.ts';
import { testRunner } from './test-runner.ts';
import { testedProfile } from './tested-turn.ts';

/**
 * The preset `tested` as a flow: a draft; tests from the requirement alone; code that runs them on the draft and plants
 * mistakes into it; one review by counter-examples; repairs by whoever can mend it. The product manager speaks first
 * where a person can be asked or the text is long, and where its report is wrong.
 */
export function testedAgent({
  settings,
}: Pick<SchemaAgentOptions, 'settings'>): Flow<DesignState, DesignDeps, ChatEnd> {
  const absent = absentRoles(settings);
  const hasRuns = settings.tests || settings.reviewer;
  const chat = createGroupChat<DesignState, DesignDeps>({
    name: OUTER_CHAT,
    members: [
      ...(settings.productManager
        ? [{ ...productManager(absent), profile: testedProfile('product-manager', absent) }]
        : []),
      draftDesigner(absent),
      ...(settings.tests ? [independentTester(absent)] : []),
      ...(hasRuns ? [testRunner(absent)] : []),
      ...(settings.reviewer ? [attacker(absent)] : []),
    ],
    maxRounds: settings.maxRounds,
  });
  return startingAnywhere(chat, absent);
}
