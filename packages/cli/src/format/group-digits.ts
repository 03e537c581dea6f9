/** `1234567` as `1,234,567`. For whole numbers it loads none of the tables of languages, which take long at first use. */
export function groupDigits(amount: number): string {
  return Number.isSafeInteger(amount) ? `${amount}`.replaceAll(/\B(?=(?:\d{3})+$)/g, ',') : amount.toLocaleString('en');
}
