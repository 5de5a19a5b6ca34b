"""Rate limits: exact sliding windows of one minute in Redis, shared by all processes.

Each call costs one round trip. When Redis is unavailable the limit is kept in this process's memory at its
share (limit divided by `WEB_WORKERS`, at least 1), so that a caller gets about the stated rate from one
machine and never an error.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from dataclasses import dataclass

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from app.platform import clock, log, redis_client, settings

_logger = log.logger("ratelimit")
# How long to stay with the memory window before asking Redis again.
_REDIS_RETRY_S = 2.0

# By Redis's own clock, so that machines whose clocks differ share one window. A refused call leaves no trace.
_HIT = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local limit = tonumber(ARGV[1])
local window = 60000000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local used = redis.call('ZCARD', KEYS[1])
local allowed = 0
if used < limit then
    allowed = 1
    redis.call('ZADD', KEYS[1], now, string.format('%.0f-%d', now, used))
    redis.call('PEXPIRE', KEYS[1], 60000)
    used = used + 1
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {allowed, limit - used, string.format('%.0f', tonumber(oldest[2] or now) + window - now)}
"""

# Refused calls of a name, while no clock minute goes by without one. Asked on a refused call only, so what is
# allowed pays nothing for it.
_REFUSED = """
local minute = math.floor(redis.call('TIME')[1] / 60)
local found = redis.call('HMGET', KEYS[1], 'minute', 'first', 'refused', 'told')
local last, first, refused = tonumber(found[1]), tonumber(found[2]), tonumber(found[3])
if not last or last < minute - 1 then
    redis.call('DEL', KEYS[1])
    first, refused, found[4] = minute, 0, false
end
redis.call('HSET', KEYS[1], 'minute', minute, 'first', first, 'refused', refused + 1)
redis.call('EXPIRE', KEYS[1], 120)
return {minute, minute - first + 1, refused + 1, tonumber(found[4]) or -1}
"""


@dataclass(frozen=True, slots=True)
class Refusals:
    """Consecutive clock minutes that each have refused calls, and the refused calls in them.

    `hour` is the current hour, counted from 1970; `notified` is true where `Limiter.mark_notified` was called
    in it.
    """

    minutes: int
    refused: int
    hour: int
    notified: bool


@dataclass(frozen=True, slots=True)
class Rate:
    """State of a window after a call. `reset_at` is the Unix time when its oldest call leaves it."""

    allowed: bool
    limit: int
    remaining: int
    reset_at: float

    @property
    def reset(self) -> int:
        """`reset_at` in whole Unix seconds, rounded up."""
        return math.ceil(self.reset_at)

    @property
    def retry_after(self) -> int:
        """Whole seconds until the next call is accepted, at least 1 (decision 010)."""
        return max(1, math.ceil(self.reset_at - clock.epoch()))


class Limiter:
    """Count calls on named windows of one minute."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._memory = MovingWindowRateLimiter(MemoryStorage())
        self._shared = redis_client.Script(_HIT)
        self._refused = redis_client.Script(_REFUSED)
        self._shared_again_at = 0.0

    def hit(self, name: str, per_minute: int) -> Rate:
        """Count one call on the window `name` unless it is over the limit; return the window's state."""
        if time.monotonic() >= self._shared_again_at:
            try:
                allowed, remaining, resets_in = self._shared.run(f"rate:{name}", per_minute)
            except redis_client.Unavailable:
                self._shared_again_at = time.monotonic() + _REDIS_RETRY_S
                _logger.warning("redis away: limits are kept per process", share=1 / self._processes)
            else:
                # The limit may have been lowered while the window was fuller than it allows now.
                return Rate(
                    bool(allowed), per_minute, max(0, remaining), clock.epoch() + int(resets_in) / 1e6
                )
        return self._in_memory(name, max(1, per_minute // self._processes))

    def refusals(self, name: str) -> Refusals | None:
        """Count a refused call of `name`; return the run of refusals, `None` while Redis is unavailable."""
        if time.monotonic() < self._shared_again_at:
            return None
        try:
            minute, minutes, refused, notified = self._refused.run(f"refused:{name}")
        except redis_client.Unavailable:
            return None
        return Refusals(minutes, refused, minute // 60, notified == minute // 60)

    def mark_notified(self, name: str, found: Refusals) -> None:
        """Record that the account was notified of `found` in this hour, for `refusals`. Never raises."""
        # Forgetting it costs a second telling; a name that comes back without an expiry would stay for ever.
        with contextlib.suppress(redis_client.Unavailable), redis_client.client().pipeline() as pipe:
            pipe.hset(f"refused:{name}", "told", found.hour)
            pipe.expire(f"refused:{name}", 120)
            pipe.execute()

    def _in_memory(self, name: str, per_minute: int) -> Rate:
        item = RateLimitItemPerMinute(per_minute)
        allowed = self._memory.hit(item, name)
        window = self._memory.get_window_stats(item, name)
        return Rate(allowed, per_minute, window.remaining, window.reset_time)


_lock = threading.Lock()
_limiters: dict[str, Limiter] = {}


def limiter() -> Limiter:
    """Return the rate limiter of this process."""
    config = settings.current()
    url = config.redis_url.get_secret_value()
    found = _limiters.get(url)
    if found is None:
        with _lock:
            found = _limiters.get(url) or _limiters.setdefault(url, Limiter(config.web_workers))
    return found
