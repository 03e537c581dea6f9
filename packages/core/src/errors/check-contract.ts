import { AskemaError } from './askema-error.ts';

/** The version of the adapter contract that this core speaks. */
const ADAPTER_CONTRACT = 1;

/**
 * Checks the contract version that a package carries.
 *
 * @throws AskemaError `CONTRACT_MISMATCH`, which says what to upgrade.
 */
export function throwOnContractMismatch(contract: unknown, subject: string): void {
  if (contract === ADAPTER_CONTRACT) return;
  const remedy =
    typeof contract !== 'number'
      ? `carries no contract version; it needs \`contract: ${ADAPTER_CONTRACT}\`: upgrade its package, or add the field if it is yours`
      : contract > ADAPTER_CONTRACT
        ? `needs contract ${contract}, this @askema/core speaks ${ADAPTER_CONTRACT}: upgrade @askema/core`
        : `speaks contract ${contract}, this @askema/core needs ${ADAPTER_CONTRACT}: upgrade the adapter's package`;
  throw new AskemaError('CONTRACT_MISMATCH', `${subject} ${remedy}.`);
}
