/** Written next: the durable runner. */
export const contract = 1;
