import type { Environment } from '../process/host.ts';
import type { Output } from '../process/output.ts';
import { printableLines, withoutUserInfo } from './printable.ts';

/** What is shown of an error: one of ours, or its form in JSON. */
export interface ReportedError {
  readonly code: string;
  readonly message: string;
  readonly details?: { readonly vendorCode?: string | undefined } | undefined;
}

/** True when the user asked for everything there is to know about an error. */
export function isDebugging(env: Environment): boolean {
  const value = env.ASKEMA_DEBUG;
  return value !== undefined && value !== '' && value !== '0';
}

/** An error as the user sees it: what failed and what to do, its code, and no stack trace. */
export async function reportError(error: ReportedError, output: Output): Promise<void> {
  const vendor = error.details?.vendorCode;
  const code = vendor === undefined ? error.code : `${error.code}, ${vendor}`;
  await output.write(
    `${output.red('error:')} ${printableLines(withoutUserInfo(error.message))} ${output.dim(printableLines(`[${code}]`))}\n`,
  );
}

/** The stack and the causes of anything thrown, for ASKEMA_DEBUG=1. */
export function stackOf(thrown: unknown): string {
  const lines: string[] = [];
  let each = thrown;
  while (each !== undefined && lines.length < 5) {
    const isError: boolean = each instanceof Error;
    const { stack, message, cause } = (isError ? each : { message: String(each) }) as Partial<Error>;
    lines.push(printableLines(withoutUserInfo(stack ?? message ?? '')));
    each = cause;
  }
  return `${lines.join('\ncaused by: ')}\n`;
}

/**
 * Anything thrown as an error to show. The marker of core's errors is read here without loading core: `askema --help`
 * must not.
 */
export function describeError(thrown: unknown): ReportedError {
  const isOurs = typeof thrown === 'object' && thrown !== null && Symbol.for('askema.error') in thrown;
  if (isOurs) return thrown as unknown as ReportedError;
  const message = printableLines(thrown instanceof Error ? thrown.message : String(thrown));
  return { code: 'INTERNAL', message: `An unexpected error: ${message}. ASKEMA_DEBUG=1 shows where it happened.` };
}
