/** What a picture may weigh as it is sent: a phone's largest photo. Bytes. */
export const MOST_PICTURE_BYTES = 25_000_000;
/** How often preparing a picture is begun: whatever ends the process that does it each time is the picture's fault. */
export const MOST_TRIES = 3;
/** Pictures of one seller that wait to be prepared. */
export const MOST_DUE = 40;
