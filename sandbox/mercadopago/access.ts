import type { RequestHandler, Response } from "express";

const KNOWN_TOKEN = /^Bearer (APP_USR-sandbox-[\w-]+)$/;
const PUBLIC_KEY = /^APP_USR-[\w-]+$/;

/** Lets calls with an access token pass. */
export const authenticate: RequestHandler = (request, response, next) => {
  const token = KNOWN_TOKEN.exec(request.get("authorization") ?? "")?.[1];
  if (!token) return refuse(response, 401, "unauthorized", "invalid access token");
  response.locals.token = token;
  next();
};

/** The same for calls that browsers may make, with `?public_key=`. Any page may read the answers. */
export const authenticateBrowser: RequestHandler = (request, response, next) => {
  response.set("access-control-allow-origin", "*");
  if (PUBLIC_KEY.test(String(request.query.public_key ?? ""))) return next();
  authenticate(request, response, next);
};

export function refuse(response: Response, status: number, code: string, message: string) {
  return response.status(status).json({ errors: [{ code, message }] });
}
