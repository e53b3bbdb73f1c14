/** Where a page says whose it is: a form by its field, a script's request by its header. */
export const ACCOUNT_FIELD = "account";
export const ACCOUNT_HEADER = "X-Account";
