import { classifyError } from '../adapter/classify-error.ts';
import type { Dialect } from '../adapter/dialect.ts';
import type { AskemaError } from '../errors/askema-error.ts';
import type { ProbeFailure } from './probe-run.ts';

/** A database's refusal as Algorithm 1 reads it: the class that the adapter gave, or the one that the dialect's rules give. */
export function probeFailure(error: AskemaError, dialect: Dialect): ProbeFailure {
  const { errorClass, vendorCode, nearestNames } = error.details;
  const classified = classifyError(dialect, { vendorCode, message: error.message });
  const byCode = error.code === 'QUERY_TIMEOUT' ? 'timeout' : isRefused(error) ? 'permission' : undefined;
  return {
    message: error.message,
    errorClass: byCode ?? errorClass ?? classified.errorClass,
    name: classified.name,
    nearestNames,
  };
}

function isRefused({ code }: AskemaError): boolean {
  return code === 'QUERY_NOT_READ_ONLY' || code === 'QUERY_REFUSED';
}
