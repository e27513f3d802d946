// Fingers on a chart, which uPlot does not know: each touch is passed on as the mouse's event.

/**
 * A finger shows the values below it. While `isPicking()` it chooses a period, as a held mouse does.
 * @param {HTMLElement} area
 * @param {() => boolean} isPicking
 */
export function passTouchesAsMouse(area, isPicking) {
  area.addEventListener("touchstart", ({ touches: [finger] }) => {
    sendMouse("mouseenter", finger, area);
    sendMouse(isPicking() ? "mousedown" : "mousemove", finger, area);
  }, { passive: true });
  area.addEventListener("touchmove", ({ touches: [finger] }) => {
    sendMouse("mousemove", finger, area);
  }, { passive: true });
  area.addEventListener("touchend", ({ changedTouches: [finger] }) => {
    sendMouse("mouseup", finger, document);
  });
  area.addEventListener("contextmenu", (press) => press.preventDefault());
}

/**
 * @param {string} type
 * @param {Touch} finger
 * @param {EventTarget} target
 */
function sendMouse(type, { clientX, clientY }, target) {
  const event = new MouseEvent(type, { clientX, clientY, bubbles: true });
  Object.defineProperty(event, "movementX", { value: 1 }); // uPlot ignores a move by nothing
  target.dispatchEvent(event);
}
