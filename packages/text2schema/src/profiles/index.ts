import type { RoleProfile } from '@askema/core';
import type { SchemaRole } from '../model/index.ts';
import { CONCEPTUAL_DESIGNER } from './conceptual-designer.ts';
import { CONCEPTUAL_REVIEWER } from './conceptual-reviewer.ts';
import { LOGICAL_DESIGNER } from './logical-designer.ts';
import { PRODUCT_MANAGER } from './product-manager.ts';
import { QA_ENGINEER } from './qa-engineer.ts';
import { TEST_EXECUTOR } from './test-executor.ts';

export { CONCEPTUAL_DESIGNER, CONCEPTUAL_REVIEWER, LOGICAL_DESIGNER, PRODUCT_MANAGER, QA_ENGINEER, TEST_EXECUTOR };

/** The six roles of SchemaAgent (section 4.1), in the forward order of the workflow. */
export const ROLE_PROFILES: Readonly<Record<SchemaRole, RoleProfile>> = {
  'product-manager': PRODUCT_MANAGER,
  'conceptual-designer': CONCEPTUAL_DESIGNER,
  'conceptual-reviewer': CONCEPTUAL_REVIEWER,
  'logical-designer': LOGICAL_DESIGNER,
  'qa-engineer': QA_ENGINEER,
  'test-executor': TEST_EXECUTOR,
};
