/** What happens by the clock (crontab, UTC). Each line fires once, however many workers run. */
export const clock = `
* * * * * sweep-charges ?jobKey=sweep-charges&jobKeyMode=replace
17 6 * * * forget-expired
`;
