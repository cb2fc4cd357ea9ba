"""The steps of `steps.py` as scripts that the server runs whole: nobody sees a state between two of their lines.

Keys come in `KEYS`, and everything else in `ARGV`; time is the server's (`TIME`), in microseconds, which a Lua number
holds exactly until the year 2255. Numbers go back as texts, since the server cuts fractions off.
"""

from typing import Final

_CLOCK: Final = """
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local function text(n) return string.format('%.0f', n) end
"""

# Flights: a hash of token, until, how, seen. ------------------------------------------------------------

_FLIGHT: Final = (
    _CLOCK
    + """
local key = KEYS[1]
local token = tonumber(redis.call('HGET', key, 'token') or '0')
local untl = tonumber(redis.call('HGET', key, 'until') or '0')
local back = tonumber(redis.call('HGET', key, 'seen') or '0') - now
if back > 0 then untl = math.max(0, untl - back) end
local function keep(lease, told)
  redis.call('HSET', key, 'token', text(token), 'until', text(untl), 'seen', text(now))
  redis.call('PEXPIRE', key, text((math.max(lease, untl - now) + told) / 1000))
end
"""
)

LEAD: Final = (
    _FLIGHT
    + """
local lease, told = tonumber(ARGV[1]), tonumber(ARGV[2])
local mine = 0
if untl <= now then
  mine, token, untl = 1, math.max(token + 1, now), now + lease
  redis.call('HDEL', key, 'how')
end
keep(lease, told)
return {text(token), mine}
"""
)

RENEW: Final = (
    _FLIGHT
    + """
local lease, told = tonumber(ARGV[1]), tonumber(ARGV[2])
if token ~= tonumber(ARGV[3]) or untl <= now then return 0 end
untl = now + lease
keep(lease, told)
return 1
"""
)

END: Final = (
    _FLIGHT
    + """
if token ~= tonumber(ARGV[2]) then return 0 end
untl = 0
redis.call('HSET', key, 'how', ARGV[3])
keep(0, tonumber(ARGV[1]))
return 1
"""
)

LOOK: Final = (
    _FLIGHT
    + """
if token ~= tonumber(ARGV[1]) then return 'given up' end
local how = redis.call('HGET', key, 'how')
if how then return how end
if untl <= now then return 'given up' end
return false
"""
)

# Rates: a list of moments in order, and a hash of paused, seen. ------------------------------------------

_RATE: Final = (
    _CLOCK
    + """
local given, facts = KEYS[1], KEYS[2]
local paused = tonumber(redis.call('HGET', facts, 'paused') or '0')
local back = tonumber(redis.call('HGET', facts, 'seen') or '0') - now
if back > 0 then
  paused = math.max(0, paused - back)
  local moments = redis.call('LRANGE', given, 0, -1)
  for at, moment in ipairs(moments) do redis.call('LSET', given, at - 1, text(moment - back)) end
  redis.call('HSET', facts, 'paused', text(paused), 'seen', text(now))
end
local function keep(last)
  local length = text(math.max(1, math.ceil((last - now) / 1000)))
  redis.call('HSET', facts, 'paused', text(paused), 'seen', text(now))
  redis.call('PEXPIRE', facts, length)
  redis.call('PEXPIRE', given, length)
end
"""
)

TAKE: Final = (
    _RATE
    + """
local calls, period, patience = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local oldest = redis.call('LINDEX', given, 0)
while oldest and tonumber(oldest) <= now - period do
  redis.call('LPOP', given)
  oldest = redis.call('LINDEX', given, 0)
end
local due = math.max(now, paused, tonumber(redis.call('LINDEX', given, -1) or '0'))
local before = redis.call('LINDEX', given, -calls)
if before then due = math.max(due, tonumber(before) + period) end
if due - now > patience then return {text(due - now), '0'} end
redis.call('RPUSH', given, text(due))
keep(math.max(due + period, paused))
return {text(due - now), text(due)}
"""
)

GIVE_BACK: Final = _RATE + "return redis.call('LREM', given, -1, ARGV[1])"

PAUSE: Final = (
    _RATE
    + """
paused = math.max(paused, now + tonumber(ARGV[1]))
local left = math.max(0, redis.call('PTTL', given)) * 1000
keep(math.max(paused, now + left))
return 1
"""
)

PAUSED: Final = _RATE + "return text(math.max(0, paused - now))"

# Budgets: a hash with calls `c<day>` and millionths `m<day>`. --------------------------------------------

_BUDGET: Final = (
    _CLOCK
    + """
local key = KEYS[1]
local day = math.floor(now / 86400000000)
local calls = tonumber(redis.call('HGET', key, 'c' .. day) or '0')
local paid = tonumber(redis.call('HGET', key, 'm' .. day) or '0')
local function keep(length)
  redis.call('HSET', key, 'c' .. day, text(calls), 'm' .. day, text(paid))
  for old = day - 3, day - 2 do redis.call('HDEL', key, 'c' .. old, 'm' .. old) end
  redis.call('PEXPIRE', key, length)
end
"""
)

SPEND: Final = (
    _BUDGET
    + """
local cost, most_calls, most_cost = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if most_calls >= 0 and calls + 1 > most_calls then return 0 end
if most_cost >= 0 and (paid >= most_cost or paid + cost > most_cost) then return 0 end
calls, paid = calls + 1, paid + cost
keep(ARGV[1])
return 1
"""
)

SETTLE: Final = (
    _BUDGET
    + """
paid = math.max(0, paid + tonumber(ARGV[2]))
keep(ARGV[1])
return 1
"""
)

SPENT: Final = _BUDGET + "return {text(calls), text(paid)}"

# Pages: a hash each; an index of what is kept, in order; the sizes of all; how many bytes they are together. --

_PAGES: Final = (
    _CLOCK
    + """
local function forget(key)
  redis.call('DEL', key)
  redis.call('ZREM', KEYS[2], key)
  local size = redis.call('HGET', KEYS[3], key)
  redis.call('HDEL', KEYS[3], key)
  if size then redis.call('HINCRBY', KEYS[3], 'total', '-' .. size) end
end
"""
)

GET_PAGE: Final = (
    _CLOCK
    + """
local held = redis.pcall('HMGET', KEYS[1], 'at', 'facts', 'body', 'sum')
local at = not held.err and tonumber(held[1] or '')
if not at then return false end
return {text(now - at), held[2] or '', held[3] or '', held[4] or ''}
"""
)

PUT_PAGE: Final = (
    _PAGES
    + """
local size, length, most_bytes, most_pages = ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
forget(KEYS[1])
redis.call('HSET', KEYS[1], 'at', text(now), 'facts', ARGV[1], 'body', ARGV[2], 'sum', ARGV[3])
redis.call('PEXPIRE', KEYS[1], length)
local turn = redis.call('HINCRBY', KEYS[3], 'turn', 1)
redis.call('ZADD', KEYS[2], turn, KEYS[1])
redis.call('HSET', KEYS[3], KEYS[1], size)
redis.call('HINCRBY', KEYS[3], 'total', size)
while tonumber(redis.call('HGET', KEYS[3], 'total')) > most_bytes or redis.call('ZCARD', KEYS[2]) > most_pages do
  local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
  if not oldest then
    redis.call('HSET', KEYS[3], 'total', 0)
    break
  end
  forget(oldest)
end
return 1
"""
)

DROP_PAGE: Final = _PAGES + "forget(KEYS[1]) return 1"
