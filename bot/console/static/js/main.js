// Starts the console's page.
import { readState } from "./api.js";
import { Page } from "./page.js";

const page = new Page(await readState());
await page.start();
