//! The service under test, called as a router without a socket: what it answers, what it refuses, what it survives.

mod ask;
mod base;
mod contract;
mod documents;
mod find;
mod gate;
mod like;
mod limits;
mod mcp;
mod security;
mod support;
