import { roleRefused } from '@askema/adapter-kit';
import { type CallLimits, isAskemaError } from '@askema/core';
import { readFailure } from '../errors/driver-error.ts';
import type { ResolvedOptions } from '../options.ts';
import { closeLink, type Link, openLink } from './link.ts';
import { startStatement } from './statement.ts';

/**
 * Logs in. A role of `scope` is the only one of its session: the secondary roles that users have by default would add
 * what their other roles may (docs.snowflake.com/en/sql-reference/sql/use-secondary-roles).
 */
export async function openSession(options: ResolvedOptions, limits: CallLimits): Promise<Link> {
  const link = await openLink(options, limits);
  if (!options.isRoleOfScope) return link;
  const sent = startStatement(link, { sql: 'USE SECONDARY ROLES NONE', parameters: {} });
  try {
    await limits.race(sent.completed);
    return link;
  } catch (thrown) {
    await closeLink(link);
    if (isAskemaError(thrown)) throw thrown;
    const { message } = readFailure(thrown, link.http.failure, link.secrets());
    throw roleRefused(`its secondary roles cannot be taken off (${message})`, thrown);
  }
}
