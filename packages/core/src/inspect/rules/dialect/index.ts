import type { InspectionRule } from '../../rule.ts';
import { dialectFunction } from './dialect-function.ts';
import { dialectSyntax } from './dialect-syntax.ts';

/** What the dialect of the statement does not have. */
export const DIALECT_RULES: readonly InspectionRule[] = [dialectFunction, dialectSyntax];
